import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

describe('Markdown in the console', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, await bundleWebModules(['sdk/web/markdown/markdown.ts']))
  })
  after(() => closeBrowser())

  it('makes no element and no attribute beyond the list, whatever the renderer gives', async () => {
    const seen = await page.evaluate(`(() => {
      const place = document.createElement('div')
      place.append(...[
        { name: 'script', attributes: {}, children: ['window.acted = true'] },
        { name: 'p', attributes: { class: 'scrim', onclick: 'x', style: 'position:fixed', dir: 'auto' }, children: ['<b>a</b>'] },
        { name: 'a', attributes: { href: 'javascript:x', id: 'main', target: 'name' }, children: [{ name: 'input', attributes: {}, children: [] }] },
        { name: 'code', attributes: { class: 'language-x scrim' }, children: ['b'] },
      ].map(web.nodeOf))
      document.body.append(place)
      return [place.innerHTML, window.acted]
    })()`)
    expect(seen).to.deep.equal(['window.acted = true<p dir="auto">&lt;b&gt;a&lt;/b&gt;</p><a></a><code>b</code>', undefined])
  })

  it('shows the ends of lines of messages, and fills those of documents', async () => {
    const shown = (kind: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const place = document.createElement('div')
        place.append(web.markdownNodes('a\\nb [c](' + location.origin + '/api/x) [d](' + location.origin + '/p/x)', '${kind}'))
        return [place.querySelectorAll('br').length, [...place.querySelectorAll('a')].map((link) => link.textContent)]
      })()`)
    expect(await shown('message')).to.deep.equal([1, ['d']])
    expect(await shown('document')).to.deep.equal([0, ['d']])
  })
})
