import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { hostilePages } from './support/hostile-pages.js'
import { type Listening, startListening } from './support/listening.js'

const credentials = { username: 'ada', password: 'a long enough password' }

/** What ends the page instead: it may not go where it wants. */
const leaving = [
  'a link, a form and a window',
  'its own address',
  'its own address, by the service',
  'its own address, later',
  'a form that it sends itself',
]

describe('a page of an attacker', function () {
  this.timeout(180_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let outside: Listening
  before(async () => {
    agents = await startAgentsKernel()
    outside = await startListening()
    opened = await openPage(agents.kernel, { credentials })
  })
  after(async () => {
    outside.close()
    await closeBrowser()
    await agents.close()
  })

  const show = async (name: string, html: string): Promise<void> => {
    const { context, open, page } = opened
    const answer = await context.request.put(`/api/files/content?path=files/${name}`, {
      data: html,
      headers: { 'content-type': 'text/html' },
    })
    expect(answer.ok()).to.equal(true)
    await open(`/files?show=${name}`)
    await page.locator('.page-view > iframe:not(.starting), .page-note').first().waitFor()
  }
  const shown = () => opened.page.frameLocator('.page-view > iframe').frameLocator('iframe')
  const srcdoc = () => opened.page.frames().find((frame) => frame.url() === 'about:srcdoc')

  /** By what it uses, and what arrives then. */
  const arrivals: Readonly<Record<string, RegExp>> = {
    requests: /\/fetch/,
    elements: /\/img/,
    'hints by scripts': /\/made/,
    'a connection to another browser': /packet/,
  }
  for (const [name, what] of Object.entries(arrivals))
    it(`would reach the network by ${name} where nothing confines it`, async () => {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end(`<!doctype html><body>${hostilePages(outside)[name]}`),
      )
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      outside.forget()
      const page = await opened.context.newPage()
      const arrives = outside.next(what)
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'commit' })
      await arrives
      await page.close()
      server.closeAllConnections()
      server.close()
    })

  for (const name of Object.keys(hostilePages({ host: '', udpPort: 0 })))
    it(`reaches nothing by ${name}`, async () => {
      outside.forget()
      await show('evil.html', `<!doctype html><body><p>Beginning</p>${hostilePages(outside)[name]}<p>End</p>`)
      if (leaving.includes(name)) await opened.page.getByText('The page tried to go elsewhere').waitFor()
      else await shown().getByText('Beginning').waitFor()
      expect(await outside.arrivedBefore(opened.context)).to.deep.equal([])
      expect(new URL(opened.page.url()).pathname).to.equal('/files')
    })

  it('has no element in it by which a browser would prepare a connection, however it was made', async () => {
    const pages = hostilePages(outside)
    const makers = [
      'hints',
      'hints by scripts',
      'hints after it has changed what the guard uses',
      'a frame in its markup',
      'a refresh by a script',
    ]
    for (const name of makers) {
      await show('evil.html', `<!doctype html><body><p>Beginning</p>${pages[name]}<p>End</p>`)
      await shown().getByText('Beginning').waitFor()
      expect(await shown().locator('link, meta, base, iframe, frame, object, embed').count(), name).to.equal(0)
      if (name === 'hints by scripts') expect(await srcdoc()?.evaluate('globalThis.madeLinks'), name).to.equal(0)
    }
  })

  it('has nothing of the person, of the console or of the service', async () => {
    await show('evil.html', '<p>Beginning</p>')
    const found = await srcdoc()?.evaluate(`(async () => {
      const attempt = async (work) => { try { return await work() } catch { return 'refused' } }
      return Promise.all([
        () => origin,
        () => document.cookie,
        () => localStorage.length,
        () => parent.document.title,
        () => top.document.title,
        () => parent.parent.localStorage.length,
        () => fetch('/api/auth/me', { credentials: 'include' }).then(({ status }) => status),
        () => navigator.serviceWorker.getRegistrations(),
        () => indexedDB.open('x').constructor.name,
        () => String(alert('x')),
      ].map(attempt))
    })()`)
    expect(found).to.deep.equal(['null', ...Array.from({ length: 8 }, () => 'refused'), 'undefined'])
  })

  it('gets nothing that is not beside it', async () => {
    const asked: string[] = []
    const note = (request: { url(): string }): void => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/files/content') asked.push(searchParams.get('path') ?? '')
    }
    opened.page.on('request', note)
    const addresses = ['../files/evil.html', '../../workspaces/assistant/a.css', '..%2f..%2fa.css', '/api/auth/me', '//evil.example/a.css']
    const more = ['%2e%2e/a.css', '.bin/a.css', 'a\\..\\b.css', 'file:///etc/passwd', 'x/../../a.css']
    await show('evil.html', [...addresses, ...more].map((address) => `<link rel="stylesheet" href="${address}">`).join(''))
    opened.page.off('request', note)
    expect([...new Set(asked)].sort()).to.deep.equal(['files/.bin/a.css', 'files/api/auth/me', 'files/evil.html'])
  })

  it('does not end the console by a picture that it names thousands of times', async () => {
    const { context, page } = opened
    await context.request.put('/api/files/content?path=files/a.png', { data: Buffer.alloc(2_900_000, 'x') })
    for (const markup of ['<img src="a.png">', '<p style="background: url(a.png)">']) {
      await show('evil.html', `<!doctype html><body><p>Beginning</p>${markup.repeat(3_000)}`)
      await shown().getByText('Beginning').waitFor()
      expect(await page.evaluate('1 + 1')).to.equal(2)
    }
  })

  it('is in no answer of the service that is a page', async () => {
    const { context } = opened
    const frame = await context.request.get('/api/console/pages/frame')
    expect(await frame.text()).to.not.contain('Beginning')
    expect(frame.headers()['content-security-policy']).to.contain('sandbox allow-scripts')
    for (const view of ['inline', 'page']) {
      const file = await context.request.get(`/api/files/content?path=files/evil.html&view=${view}`)
      expect(file.headers()['content-type']).to.not.contain('html')
    }
  })
})
