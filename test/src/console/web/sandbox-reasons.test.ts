import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

const drivers = ['sandbox-linux/src/health/health.ts', 'sandbox-macos/src/health.ts']
  .map((file) => readFileSync(fileURLToPath(new URL(`../../../../plugins/${file}`, import.meta.url)), 'utf8'))
  .join('\n')

/** The sentences in the sources, their inserted parts as `{}`. */
const sentences = [...drivers.matchAll(/'([A-Z][^'\n]{20,}\.)'|`([^`\n]{20,}\.)`/g)].map(([, plain, template]) =>
  (plain ?? template ?? '').replace(/\$\{[^}]*\}/g, '{}'),
)

describe('the reasons of the sandbox in German', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' }, { locale: 'de-DE' })).page
    await openWebModules(page, await bundleWebModules(['sdk/web/i18n/reasons/sandbox-reasons.ts', 'sdk/web/i18n/language.ts']))
  })
  after(() => closeBrowser())

  it('cover every sentence of the drivers, and no other', async () => {
    const known = (await page.evaluate('web.germanSandboxReasons.map(([english]) => english)')) as readonly string[]
    expect(known).to.have.members(sentences)
  })

  it('keep what a driver inserts, and leave what they do not know in English', async () => {
    const reason = async (text: string) => callExport(page, 'sandboxReasonText', text)
    const given =
      'bubblewrap is not installed, and Landlock of this kernel is of generation 4; 6 is needed. Install bubblewrap, and allow user namespaces.'
    expect(await reason(given)).to.deep.equal({
      text: 'bubblewrap is not installed, und Landlock dieses Kernels hat Generation 4; nötig ist 6. Installiere bubblewrap und erlaube Benutzer-Namensräume.',
      lang: 'de',
    })
    expect(await reason('The gate of another driver is open.')).to.deep.equal({ text: 'The gate of another driver is open.', lang: 'en' })
    await page.evaluate("web.chooseLanguage('en')")
    expect(await reason(given)).to.deep.equal({ text: given, lang: 'en' })
  })
})
