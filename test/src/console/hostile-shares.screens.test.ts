import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** What a document could do with our origin. Each attempt that succeeds leaves its name at `/attack/…`. */
const script = `
  const tell = (name) => { try { new Image().src = '/attack/' + name } catch {} ; try { navigator.sendBeacon('/attack/' + name) } catch {} }
  const attempt = async (name, work) => { try { if (await work()) tell(name) } catch {} }
  tell('script')
  attempt('cookie', () => document.cookie !== undefined && (document.cookie = 'hostile=1; path=/'))
  attempt('storage', () => { localStorage.setItem('hostile', '1'); return true })
  attempt('fetch', async () => (await fetch('/api/auth/me', { credentials: 'include' })).ok)
  attempt('worker', () => navigator.serviceWorker.register(location.pathname, { scope: '/' }))
  attempt('top', () => { if (top === window) return false; top.location.href = '/attack/top'; return true })
  attempt('opener', () => { if (!opener) return false; opener.location.href = '/attack/opener'; return true })
  attempt('parent', () => parent !== window && parent.document.title)
`

const html = `<!doctype html><title>Hostile</title>
<meta http-equiv="refresh" content="0;url=/attack/refresh">
<base href="/attack/base/">
<link rel="stylesheet" href="/attack/style.css"><link rel="prefetch" href="/attack/prefetch"><link rel="dns-prefetch" href="//attack.example">
<script>${script}</script><script src="/attack/script.js"></script>
<h1 id="shown">Hostile page</h1>
<img src="/attack/image.png" onerror="new Image().src='/attack/handler'">
<iframe src="/attack/frame"></iframe><object data="/attack/object"></object><embed src="/attack/embed">
<form id="form" action="/attack/form" method="post" target="_top"><button id="send">Send</button></form>
<a id="top-link" href="/attack/top-link" target="_top">top</a>
<video src="/attack/video" autoplay></video><style>body{background:url(/attack/background.png)} @import url(/attack/import.css);</style>`

const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="60">
<script><![CDATA[${script}]]></script><script href="/attack/svg-script.js"/>
<image href="/attack/svg-image.png" width="9" height="9"/><use href="/attack/use.svg#x"/>
<foreignObject width="200" height="60"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/attack/svg-frame"></iframe></foreignObject>
<text y="20" onload="new Image().src='/attack/svg-handler'">Hostile picture</text></svg>`

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("/attack/pdf"\\); this.submitForm\\("/attack/pdf-form"\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/AA<</O<</S/URI/URI(/attack/pdf-uri)>>>>>>endobj
trailer<</Root 1 0 R>>
%%EOF`

const files = {
  'page.html': html,
  'picture.svg': svg,
  'paper.pdf': pdf,
  'notes.md': `# Notes\n\n<script>${script}</script>\n\n[x](javascript:alert(1)) ![y](/attack/markdown.png)`,
}

describe('hostile files behind share links', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  let view: ConsolePage
  const links = new Map<string, string>()
  const attacks: string[] = []

  before(async () => {
    kernel = await createTestKernel()
    view = await openPage(kernel, { credentials: ada })
    for (const [name, content] of Object.entries(files)) {
      const call = (method: string, path: string, type: string, body: string) =>
        view.page.evaluate(
          async ([verb, address, kind, text]) => {
            const answer = await fetch(address, { method: verb, headers: { 'content-type': kind }, body: text })
            return (await answer.json()) as unknown
          },
          [method, path, type, body] as const,
        )
      await call('PUT', `/api/files/content?path=files/${name}`, 'application/octet-stream', content)
      const share = (await call('POST', '/api/shares', 'application/json', JSON.stringify({ path: `files/${name}` }))) as {
        readonly content_url: string
      }
      links.set(name, new URL(share.content_url).pathname)
    }
    await view.context.route('**/attack/**', (route) => {
      attacks.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 204, body: '' })
    })
  })
  after(async () => {
    await view.close()
    await closeBrowser()
    await kernel.stop()
  })
  beforeEach(() => attacks.splice(0))

  /** Whatever a document could have done by now is done: it was loaded, and some of its time passed. */
  const settled = async (): Promise<void> => {
    await view.page.waitForLoadState('load')
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  /** What the person who is signed in in this browser still has, and what a document left in our origin. */
  const harm = async (): Promise<readonly unknown[]> => {
    const page = await view.context.newPage()
    await page.goto('/')
    const found = (await page.evaluate(`(async () => [
      localStorage.getItem('hostile'),
      document.cookie.includes('hostile'),
      (await navigator.serviceWorker.getRegistrations()).filter(({ active }) => active && !active.scriptURL.endsWith('/service-worker.js')).length,
      (await fetch('/api/auth/me')).ok,
    ])()`)) as readonly unknown[]
    await page.close()
    return found
  }

  it('would do all of it on a page of our own origin', async () => {
    const server: Server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const page = await view.context.newPage()
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      await page.locator('#shown').waitFor()
      await page.waitForURL('**/attack/**', { timeout: 5_000 }).catch(() => undefined)
      for (const name of ['script', 'cookie', 'storage', 'image.png', 'style.css', 'frame', 'handler'])
        expect(
          attacks.some((path) => path.endsWith(`/${name}`)),
          `${name} of ${attacks.join(' ')}`,
        ).to.equal(true)
    } finally {
      await page.close()
      server.close()
      // Cookies ignore ports.
      await view.context.clearCookies({ name: 'hostile' })
    }
  })

  for (const name of Object.keys(files))
    for (const kind of ['s', 'p'] as const)
      it(`reach nothing of it: ${name} at /${kind}`, async () => {
        const link = (links.get(name) ?? '').replace('/s/', `/${kind}/`)
        const { page } = view
        await page.goto('/')
        // As a person opens it: in a tab that a page of ours has opened.
        if (name === 'paper.pdf' && kind === 's') {
          const [stored] = await Promise.all([page.waitForEvent('download'), page.goto(link).catch(() => undefined)])
          expect(stored.suggestedFilename()).to.equal('paper.pdf')
          expect(new URL(page.url()).pathname).to.equal('/')
          return
        }
        const [opened] = await Promise.all([view.context.waitForEvent('page'), page.evaluate(`void window.open(${JSON.stringify(link)})`)])
        await opened.waitForLoadState('load')
        await settled()
        expect(new URL(opened.url()).pathname).to.equal(link)
        const shown = kind === 's' ? await opened.content() : ''
        if (name === 'page.html' && kind === 's') {
          expect(shown).to.contain('Hostile page')
          await opened.locator('#send').click()
          await settled()
          expect(new URL(opened.url()).pathname).to.equal(link)
        }
        if (name === 'page.html' && kind === 'p') {
          const frame = opened.frameLocator('iframe')
          await frame.locator('#shown').waitFor()
          await frame.locator('#send').click()
          await frame.locator('#top-link').click()
          await settled()
          expect(new URL(opened.url()).pathname).to.equal(link)
        }
        if (name === 'picture.svg' && kind === 'p')
          expect(await opened.locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).to.equal(200)
        expect(new URL(page.url()).pathname, 'the page that opened it').to.equal('/')
        expect(attacks).to.deep.equal([])
        expect(await harm()).to.deep.equal([null, false, 0, true])
        if (!opened.isClosed()) await opened.close()
      })

  it('cannot be used as scripts, styles or pictures by pages elsewhere', async () => {
    const page = await view.context.newPage()
    const server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<img id="i" src="${kernel.url}${links.get('picture.svg')}"><script src="${kernel.url}${links.get('notes.md')}"></script><iframe src="${kernel.url}${links.get('page.html')}"></iframe>`,
        ),
    )
    server.listen(0, 'localhost')
    await once(server, 'listening')
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await page.waitForLoadState('load')
    expect(await page.locator('#i').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).to.equal(0)
    expect(await page.frameLocator('iframe').locator('#shown').count()).to.equal(0)
    await page.close()
    server.close()
  })
})
