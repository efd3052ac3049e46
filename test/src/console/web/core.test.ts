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
    code = await bundleWebModules(['sdk/web/core/base.ts', 'sdk/web/core/storage.ts', 'sdk/web/core/trusted.ts', 'sdk/web/core/dom.ts'])
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

  it('places paths of the service below the path of the page, once, and nothing else', async () => {
    await openWebModules(page, code, '/a&copy=b/c', '/a&copy=b/c')
    const seen = await page.evaluate(`(() => {
      const link = web.template('<p class=x><a href=/files>a</a><img src="/icon.svg"><a href="//other.example/">b</a><a href=#main>c</a>')()
      const dynamic = document.createElement('a')
      const set = (value) => { web.setAttribute(dynamic, 'href', value); return dynamic.getAttribute('href') }
      web.setAttribute(dynamic, 'title', '/kept')
      web.remember('theme', 'dark')
      return [
        [...link.querySelectorAll('[href], [src]')].map((each) => each.getAttribute('href') ?? each.getAttribute('src')),
        ['/', '/chats/1?a=/b', '//other.example/', 'https://other.example/x', '?tab=one', '#main', 'mailto:a@example.org', undefined].map(set),
        dynamic.getAttribute('title'),
        String(web.scriptAddress('serviceWorker')),
        ['/a&copy=b/c', '/a&copy=b/c/', '/a&copy=b/c/chats', '/a&copy=b/cc', '/chats'].map(web.pathWithin),
        Object.keys(localStorage),
        web.recall('theme'),
        web.ownName('lock'),
      ]
    })()`)
    const base = '/a&copy=b/c'
    expect(seen).to.deep.equal([
      [`${base}/files`, `${base}/icon.svg`, '//other.example/', '#main'],
      [
        `${base}/`,
        `${base}/chats/1?a=/b`,
        '//other.example/',
        'https://other.example/x',
        '?tab=one',
        '#main',
        'mailto:a@example.org',
        null,
      ],
      '/kept',
      `${base}/service-worker.js`,
      ['/', '/', '/chats', undefined, undefined],
      [`console.theme@${base}`],
      'dark',
      `lock@${base}`,
    ])
    await page.evaluate("web.remember('theme', undefined)")
  })

  it('leaves everything as it is at the root of a host', async () => {
    const seen = await page.evaluate(
      "[web.basePath, web.placed('/api/chats'), web.pathWithin('/chats'), web.pathWithin('/'), web.ownName('lock')]",
    )
    expect(seen).to.deep.equal(['', '/api/chats', '/chats', '/', 'lock'])
  })
})
