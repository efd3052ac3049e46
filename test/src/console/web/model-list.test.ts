import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

const group = (name: string, title: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name, title, provider: 'work', model: title.toLowerCase(), brand: 'house', brand_name: 'House', context_window: 128_000 },
  ...{ fallbacks: [], ...more },
})
const sonnet = group('primary', 'Claude Sonnet 4.5', {
  ...{ brand_name: 'Anthropic', input: ['image', 'pdf'], abilities: ['tools', 'reasoning'], price: { input: 3, output: 15.5 } },
})
const groups = [
  sonnet,
  group('deep', 'House Large', { tools: false, price: { input: 0, output: 0 } }),
  group('small', 'House Large', { local: true }),
  group('embedding', 'Vectors', { embeds: true }),
]

interface Section {
  readonly heading: string
  readonly models: readonly { readonly title: string; readonly beside?: string }[]
}

describe('the models that a person chooses from', () => {
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(
      page,
      await bundleWebModules(['plugins/feature-agents/web/choices/model-list.ts', 'sdk/web/ui/model-names.ts', 'sdk/web/i18n/language.ts']),
    )
  })
  after(() => closeBrowser())

  const listed = async (query = '', recent: readonly string[] = []) =>
    ((await callExport(page, 'sectionsOf', groups, query, recent)) as readonly Section[]).map(({ heading, models }) => [
      heading,
      ...models.map(({ title, beside }) => (beside === undefined ? title : `${title} (${beside})`)),
    ])

  it('are listed by brand; those of one model say what tells them apart, and those for vectors are left out', async () => {
    await callExport(page, 'chooseLanguage', 'en')
    expect(await listed()).to.deep.equal([
      ['Anthropic', 'Claude Sonnet 4.5'],
      ['House', 'House Large (deep)', 'House Large (for small tasks)'],
    ])
  })

  it('begin with those used last, each once, and not while one searches', async () => {
    expect(await listed('', ['small', 'gone'])).to.deep.equal([
      ['Recently used', 'House Large (for small tasks)'],
      ['Anthropic', 'Claude Sonnet 4.5'],
      ['House', 'House Large (deep)'],
    ])
    expect(await listed(' LARGE house', ['small'])).to.deep.equal([['House', 'House Large (deep)', 'House Large (for small tasks)']])
    expect(await listed('deep')).to.deep.equal([['House', 'House Large (deep)']])
    expect(await listed('sonnet house')).to.deep.equal([])
  })

  it('say what they take, can do and cost, in both languages', async () => {
    const facts = () => Promise.all(groups.slice(0, 3).map((each) => callExport(page, 'factsText', each)))
    expect(await facts()).to.deep.equal([
      'pictures · PDF files · tools · reasoning · 128k tokens of context · $3 in, $15.50 out per million tokens',
      'no tools · 128k tokens of context · free',
      '128k tokens of context · free, runs locally',
    ])
    expect(await callExport(page, 'factsText', groups[3])).to.equal('128k tokens of context')
    await callExport(page, 'chooseLanguage', 'de')
    const [german] = await facts()
    expect(german).to.equal(
      'Bilder · PDF-Dateien · Werkzeuge · Nachdenken · 128.000 Tokens Kontext · 3 $ Eingabe, 15,50 $ Ausgabe je Million Tokens'.replaceAll(
        ' $',
        '\u00a0$',
      ),
    )
  })

  it('keep one that is chosen and missing in a field', async () => {
    const choices = (await callExport(page, 'modelChoices', groups, 'gone')) as readonly { readonly label: string }[]
    expect(choices.map(({ label }) => label)).to.deep.equal([
      ...['gone', 'Claude Sonnet 4.5', 'House Large (deep)', 'House Large (für kleine Aufgaben)'],
    ])
  })
})
