import { expect } from 'chai'
import { startChromium, type TestChromium } from './testing/chromium.js'
import { type BrowserUnderTest, guardFor, startPlugin } from './testing/plugin-under-test.js'
import { makeCertificate, type SitePages, setTraps, startSite, type TestSite, type Traps } from './testing/test-site.js'

/** Tries one way after the other, and shows what came of it: a line for each way that was open. */
const attack = (ways: string): string => `<!doctype html><title>busy</title><script type=module>
  const open = [];
  const within = (promise, ms = 3000) => Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error('late')), ms))]);
  const way = async (name, work) => { try { if (await within(work()) !== false) open.push(name) } catch {} };
  const loads = (tag, name, value) => () => new Promise((resolve, reject) => {
    const element = document.createElement(tag);
    element.onload = resolve; element.onerror = () => reject(new Error('no'));
    element[name] = value;
    document.head.append(element);
  });
  ${ways}
  document.body.textContent = 'open: ' + JSON.stringify(open);
  document.title = 'finished';
</script><body>`

describe('hostile pages', () => {
  let chromium: TestChromium
  let site: TestSite
  /** With TLS: service workers want it. */
  let secure: TestSite
  let traps: Traps
  let browser: BrowserUnderTest
  let rebound = 0
  let page = ''

  before(async () => {
    traps = await setTraps()
    const pages: SitePages = (request, response) => {
      const path = request.url ?? '/'
      if (path.startsWith('/redirect')) return void response.writeHead(302, { location: decodeURIComponent(path.slice(10)) }).end()
      if (path === '/worker.js') {
        response.setHeader('content-type', 'text/javascript')
        return void response.end(`
          self.addEventListener('install', () => self.skipWaiting());
          self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
          self.addEventListener('message', async ({ data: [url], ports: [port] }) => {
            try { await fetch(url, { mode: 'no-cors' }); port.postMessage('open') } catch { port.postMessage('closed') }
          });
          self.onconnect = undefined;`)
      }
      response.setHeader('content-type', 'text/html')
      if (path === '/attack') return void response.end(attack(page))
      if (path === '/cookie') return void response.writeHead(200, { 'set-cookie': 'sign-in=ada; Max-Age=3600; Path=/' }).end('<p>signed in')
      response.end(`<p>cookies: ${request.headers.cookie ?? 'none'}`)
    }
    site = await startSite(pages)
    secure = await startSite(pages, await makeCertificate())
    chromium = await startChromium(['--ignore-certificate-errors'])
    const guard = guardFor(() => [site.port, secure.port], {
      'inner.test': ['10.0.0.1'],
      'metadata.test': ['169.254.169.254'],
      'mixed.test': ['127.0.0.1', '10.0.0.1'],
    })
    const resolve = async (host: string): Promise<readonly string[]> => {
      if (host !== 'rebinding.test') return (await guard.resolve?.(host)) ?? []
      rebound += 1
      return rebound === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    browser = await startPlugin({ url: chromium.url, guard: { ...guard, resolve } })
    // The connection of another user is attached to the same browser all the time.
    const other = { userId: 'user-3', userHandle: 'cleo', agentId: 'agent-3', chatId: 'chat-3' }
    await browser.call('navigate', { url: `http://site.test:${site.port}/quiet` }, other)
  })
  after(async () => {
    await browser?.stop()
    site?.close()
    secure?.close()
    traps?.close()
    await chromium?.stop()
  })

  /** What was open to a page, by its own account. */
  async function run(ways: string, origin = `http://site.test:${site.port}`): Promise<string> {
    page = ways
    await browser.call('navigate', { url: `${origin}/attack` })
    await browser.call('tabs', { action: 'select', number: 1 })
    const done = await browser.call('wait_for', { text: 'open: ', seconds: 30 })
    await browser.call('close')
    return /open: (.*)$/m.exec(done.text)?.[1] ?? done.text
  }

  it('reach what is public, by each way that they are closed on below', async () => {
    const own = `http://other.test:${site.port}/x`
    const ways = `
      await way('fetch', () => fetch(${JSON.stringify(own)}, { mode: 'no-cors' }));
      await way('frame', loads('iframe', 'src', ${JSON.stringify(own)}));`
    expect(await run(ways)).to.contain('fetch')
  })

  it('reach no loopback, private or metadata address, by any way', async () => {
    const targets = [
      ...[
        '127.0.0.1',
        'localhost',
        '[::1]',
        '127.0.0.2',
        '0.0.0.0',
        '2130706433',
        '0x7f.1',
        '[::ffff:127.0.0.1]',
        'trap.localhost',
        'trap.test',
      ],
    ].map((host) => `http://${host}:${traps.tcpPort}/`)
    const elsewhere = [
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://192.168.0.1/',
      'http://inner.test/',
      'http://metadata.test/',
      'http://mixed.test/',
    ]
    const ways = `
      for (const url of ${JSON.stringify([...targets, ...elsewhere])}) {
        await way('fetch ' + url, async () => {
          const answer = await fetch(url, { mode: 'no-cors' });
          return answer.type === 'opaque' ? 'opaque' : answer.ok;
        });
      }
      const trap = ${JSON.stringify(targets[0])};
      await way('redirect', () => fetch('/redirect/' + encodeURIComponent(trap), { mode: 'no-cors' }));
      await way('image', loads('img', 'src', trap));
      await way('script', loads('script', 'src', trap));
      await way('style', () => { const link = document.createElement('link'); link.rel = 'stylesheet'; return loads('link', 'href', trap)() });
      await way('socket', () => new Promise((resolve, reject) => {
        const socket = new WebSocket(trap.replace('http', 'ws')); socket.onopen = resolve; socket.onerror = () => reject(new Error('no'));
      }));
      await way('socket by name', () => new Promise((resolve, reject) => {
        const socket = new WebSocket('ws://trap.test:${traps.tcpPort}/'); socket.onopen = resolve; socket.onerror = () => reject(new Error('no'));
      }));
      await way('file', () => fetch('file:///etc/passwd'));
      await way('events', () => new Promise((resolve, reject) => { const source = new EventSource(trap); source.onopen = resolve; source.onerror = () => reject(new Error('no')) }));
      navigator.sendBeacon(trap, 'x');
      for (const rel of ['prefetch', 'preload', 'preconnect', 'dns-prefetch', 'icon', 'modulepreload', 'manifest']) {
        const link = document.createElement('link'); link.rel = rel; link.as = 'fetch'; link.href = trap; document.head.append(link);
      }
      const code = URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(trap) + ', { mode: "no-cors" }).then(() => postMessage("open"), () => postMessage("closed"))'], { type: 'text/javascript' }));
      await way('worker', () => new Promise((resolve, reject) => { new Worker(code).onmessage = ({ data }) => data === 'open' ? resolve() : reject(new Error('no')) }));
    `
    const open = await run(ways)
    // A refusal of the proxy is an answer to a request without CORS, which the page cannot read.
    const read = (JSON.parse(open.replace(/\s*---.*$/s, '')) as string[]).filter(
      (each) => !/^fetch http:\/\/(?:trap|inner|metadata|mixed)\.test/.test(each),
    )
    expect(read).to.deep.equal([])
    expect(traps.caught).to.deep.equal([])
  })

  it('reach nothing by WebRTC or WebTransport, nor in windows and frames of their own', async () => {
    const ways = `
      const connect = async (Connection) => {
        const peer = new Connection({ iceServers: [{ urls: 'stun:127.0.0.1:${traps.udpPort}' }] });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise((resolve) => setTimeout(resolve, 1000));
      };
      const frame = document.createElement('iframe'); document.body.append(frame);
      const source = document.createElement('iframe'); source.srcdoc = '<p>x'; document.body.append(source);
      await new Promise((resolve) => { source.onload = resolve });
      const popup = window.open('about:blank');
      const named = window.open('', 'named');
      for (const [name, target] of Object.entries({ own: window, frame: frame.contentWindow, source: source.contentWindow, popup, named,
        native: frame.contentWindow.open('about:blank') })) {
        if (target && target.RTCPeerConnection) await way('rtc ' + name, () => connect(target.RTCPeerConnection));
        if (target && target.webkitRTCPeerConnection) await way('webkit ' + name, () => connect(target.webkitRTCPeerConnection));
        if (target && target.WebTransport) await way('transport ' + name, () => new target.WebTransport('https://127.0.0.1:${traps.udpPort}/').ready);
      }`
    expect(await run(ways)).to.equal('[]')
    expect(traps.caught).to.deep.equal([])
  })

  it('reach nothing by a service worker', async () => {
    const ways = `
      await way('service worker', async () => {
        const registration = await navigator.serviceWorker.register('/worker.js');
        const worker = (await navigator.serviceWorker.ready).active;
        const channel = new MessageChannel();
        const answer = new Promise((resolve) => { channel.port1.onmessage = ({ data }) => resolve(data) });
        worker.postMessage(['http://127.0.0.1:${traps.tcpPort}/'], [channel.port2]);
        open.push('a service worker answered');
        return (await answer) === 'open';
      });
      await way('shared worker', () => new Promise((resolve, reject) => {
        const code = 'onconnect = ({ ports: [port] }) => fetch("http://127.0.0.1:${traps.tcpPort}/", { mode: "no-cors" }).then(() => port.postMessage("open"), () => port.postMessage("closed"))';
        const worker = new SharedWorker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
        worker.port.onmessage = ({ data }) => data === 'open' ? resolve() : reject(new Error('no'));
      }));`
    // What the proxy refuses is an answer that the worker cannot read.
    expect(await run(ways, `https://site.test:${secure.port}`)).to.contain('a service worker answered')
    expect(traps.caught).to.deep.equal([])
  })

  it('reach nothing by a name that leads elsewhere the second time', async () => {
    const url = `http://rebinding.test:${site.port}/first`
    expect((await browser.call('navigate', { url })).text).to.contain('cookies: none')
    expect((await browser.call('navigate', { url: `http://rebinding.test:${site.port}/second` })).text).not.to.contain('cookies: none')
    expect(site.requests.filter((each) => each.includes('rebinding.test'))).to.deep.equal(['GET rebinding.test /first'])
  })

  for (const url of [
    'file:///etc/passwd',
    'chrome://version',
    'http://127.0.0.1:1/',
    'http://localhost/',
    'devtools://devtools/bundled/x',
    'http://user:secret@site.test/',
  ])
    it(`are not opened at ${url}`, async () => {
      const result = await browser.call('navigate', { url })
      expect(result.isError, result.text).to.equal(true)
      expect(result.text).not.to.match(/root:|secret/)
    })

  it('see no cookies of another user, nor of another agent of the same user', async () => {
    await browser.call('navigate', { url: `http://site.test:${site.port}/cookie` })
    const seen = async (context: object): Promise<string> =>
      /cookies: (\S+)/.exec((await browser.call('navigate', { url: `http://site.test:${site.port}/look` }, context)).text)?.[1] ?? ''
    expect(await seen({})).to.equal('sign-in=ada')
    expect(await seen({ chatId: 'chat-2' })).to.equal('sign-in=ada')
    expect(await seen({ chatId: 'chat-3', agentId: 'agent-2' })).to.equal('none')
    expect(await seen({ chatId: 'chat-1', userId: 'user-2', userHandle: 'eve' })).to.equal('none')
  })
})
