import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

const box = ['viewBox', '0 0 40 20']

describe('pictures of diagrams in the console', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, await bundleWebModules(['sdk/web/diagrams/svg-text.ts', 'sdk/web/diagrams/diagram-kind.ts']))
  })
  after(() => closeBrowser())

  const svgOf = async (attributes: unknown, ...children: readonly unknown[]): Promise<string> =>
    String(await page.evaluate(`web.pictureOf(${JSON.stringify(['svg', [box, ...(attributes as [])], children])}).svg`))
      .replace(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 40 20" width="40" height="20"/, '')
      .replace(/<\/svg>\n$/, '')

  it('are named by the first word of their source, in one look at it', async () => {
    const hostile = [`${' '.repeat(20_000)}1`, '---\n'.repeat(5_000), `${' '.repeat(60)}%%{init: {}}%% graph TD`, '%%{'.repeat(6_000)]
    const sources = ['graph TD; A-->B', '\n%% a\n  pie title x', '---\ntitle: a\n---\nsequenceDiagram', '', ...hostile]
    expect(await page.evaluate(`(${JSON.stringify(sources)}).map(web.diagramKind)`)).to.deep.equal([
      ...['graph', 'pie', 'sequenceDiagram', ''],
      ...['', '', 'graph', ''],
    ])
  })

  it('have the elements and attributes of the lists alone', async () => {
    expect(
      await svgOf(
        [
          ['width', '100%'],
          ['onload', 'x'],
          ['id', 'a'],
        ],
        ['g', [['transform', 'scale(2)']], ['b']],
      ),
    ).to.equal(' id="a"><g transform="scale(2)">b</g>')
    for (const name of ['script', 'image', 'foreignObject', 'iframe', 'animate', 'set', 'use x', 'svg onload=x', 'STYLE', '__proto__'])
      expect(await svgOf([], [name, [['href', 'https://evil.example/']], ['x']]), name).to.equal('>')
    expect(await svgOf([], ['a', [['href', 'javascript:x']], [['text', [], ['b']]]])).to.equal('><text>b</text>')
    expect(await svgOf([], ['use', [['href', '#a']], []], ['use', [['href', 'https://evil.example/#a']], []])).to.equal(
      '><use href="#a"></use><use></use>',
    )
  })

  it('reach nothing by their styles', async () => {
    const bad = [
      '@import "https://evil.example/";',
      'a{background:url(https://evil.example/)}',
      'a{background:u\\72l(https://evil.example/)}',
      'a{background:url(/**/"https://evil.example/")}',
      'a{background:image-set("https://evil.example/" 1x)}',
      '@font-face{font-family:a;src:local(x)}',
    ]
    for (const style of bad) {
      expect(await svgOf([], ['style', [], [style]]), style).to.equal('>')
      expect(await svgOf([], ['g', [['style', style]], []]), style).to.equal('><g></g>')
    }
    expect(await svgOf([], ['style', [], ['a{filter:url(#b)}']], ['g', [['marker-end', 'url(#c)']], []])).to.equal(
      '><style>a{filter:url(#b)}</style><g marker-end="url(#c)"></g>',
    )
  })

  it('have texts that stay texts', async () => {
    expect(await svgOf([['class', '"><script>']], ['text', [], ['</text><script>&\u0000']], ['style', [], ['</style><script>']])).to.equal(
      ' class="&quot;&gt;&lt;script&gt;"><text>&lt;/text&gt;&lt;script&gt;&amp;</text><style>&lt;/style&gt;&lt;script&gt;</style>',
    )
  })

  it('are none without a good size, or of anything but a drawing', async () => {
    for (const drawing of [
      null,
      'svg',
      {},
      [],
      ['svg'],
      ['svg', {}, []],
      ['g', [box], []],
      ['svg', [['viewBox', '0 0 0 9']], []],
      ['svg', [['viewBox', '0 0 9 1e9']], []],
      ['svg', [['viewBox', 'x']], []],
      ['svg', [box], [['g', [['id', 1]], []]]],
      ['svg', [box], [7]],
    ])
      expect(
        await page.evaluate(`(() => { try { web.pictureOf(${JSON.stringify(drawing)}) } catch (error) { return 'refused' } })()`),
      ).to.equal('refused')
  })
})
