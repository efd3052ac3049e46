import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { startChromium, type TestChromium } from './testing/chromium.js'
import { type BrowserUnderTest, guardFor, startPlugin } from './testing/plugin-under-test.js'
import { startSite, type TestSite } from './testing/test-site.js'

/** A way to a Chromium on which each WebSocket can be ended, as a message that is too large does. */
async function openWay(target: URL): Promise<{ readonly url: string; readonly webSockets: readonly Socket[]; readonly server: Server }> {
  const webSockets: Socket[] = []
  const server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname)
    socket.once('data', (head) => {
      if (head.toString('latin1').startsWith('GET /devtools/browser/')) webSockets.push(socket)
    })
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}${target.pathname}`, webSockets, server }
}

describe('connections to one Chromium', () => {
  let chromium: TestChromium
  let site: TestSite
  let way: Awaited<ReturnType<typeof openWay>>
  let browser: BrowserUnderTest

  before(async () => {
    chromium = await startChromium()
    site = await startSite((request, response) => response.end(`<title>${request.url}</title>`))
    way = await openWay(new URL(chromium.url))
    browser = await startPlugin({ url: way.url, guard: guardFor(() => [site.port]) })
  })
  after(async () => {
    await browser?.stop()
    way?.server.close()
    site?.close()
    await chromium?.stop()
  })

  it('are not shared: a page that ends its own takes no other user’s pages with it', async () => {
    const home = `http://site.test:${site.port}`
    const other = { userId: 'user-2', userHandle: 'bob', chatId: 'chat-2', agentId: 'agent-2' }
    await browser.call('navigate', { url: `${home}/one` }, other)
    await browser.call('navigate', { url: `${home}/two` })
    expect(way.webSockets).to.have.length(2)
    way.webSockets[1]?.destroy()
    let seen = await browser.call('snapshot')
    while (!seen.isError) seen = await browser.call('snapshot')
    expect(seen.text).to.match(/is lost|No page is open/)
    expect((await browser.call('snapshot', {}, other)).text).to.contain('Title: /one')
    expect((await browser.call('navigate', { url: `${home}/again` })).text).to.contain('Title: /again')
  })
})
