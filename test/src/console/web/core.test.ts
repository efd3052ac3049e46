import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

describe('the core of the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    code = await bundleWebModules(['core/storage.ts', 'core/trusted.ts', 'core/dom.ts'])
  })
  beforeEach(() => openWebModules(page, code))
  after(() => closeBrowser())

  it('remembers on the device under its own names, and forgets', async () => {
    const seen = await page.evaluate(`(() => {
      web.remember('theme', 'dark')
      const kept = [web.recall('theme'), localStorage.getItem('console.theme'), web.recall('other')]
      web.remember('theme', undefined)
      return [kept, web.recall('theme'), localStorage.length]
    })()`)
    expect(seen).to.deep.equal([['dark', 'dark', undefined], undefined, 0])
  })

  it('remembers until the page is left where the browser stores nothing', async () => {
    const seen = await page.evaluate(`(() => {
      Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('No storage.', 'SecurityError') } })
      web.remember('theme', 'dark')
      const kept = web.recall('theme')
      web.remember('theme', undefined)
      return [kept, web.recall('theme')]
    })()`)
    expect(seen).to.deep.equal(['dark', undefined])
  })

  it('makes markup of literals, and addresses of its own scripts alone, through one policy', async () => {
    const seen = await page.evaluate(`(() => {
      const policy = document.createElement('meta')
      policy.httpEquiv = 'content-security-policy'
      policy.content = "require-trusted-types-for 'script'; trusted-types 'none'"
      document.head.append(policy)
      const refused = (run) => { try { run(); return 'allowed' } catch (error) { return error.name } }
      const place = document.createElement('div')
      place.innerHTML = web.trustedMarkup('<b>literal</b>')
      return [
        place.firstChild.nodeName,
        web.template('<p>made by the build</p>')().textContent,
        refused(() => { place.innerHTML = '<b>text</b>' }),
        refused(() => trustedTypes.createPolicy('mine', {})),
        String(web.scriptAddress('serviceWorker')),
        'policy' in web,
      ]
    })()`)
    expect(seen).to.deep.equal(['B', 'made by the build', 'TypeError', 'TypeError', '/service-worker.js', false])
  })
})
