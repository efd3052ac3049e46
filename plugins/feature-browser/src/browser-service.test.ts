import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { tools } from '@agent-service/sdk/contracts/tool'
import { pageRenderingService } from '@agent-service/sdk/services/page-rendering'
import { createMemoryDatabase, createTestContext, describeDoctorCheck, describeUserData } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createBrowserPlugin } from './compose/plugin-setup.js'
import type { BrowserSettings } from './configuration/browser-section.js'
import { createBrowserCheck } from './doctor.js'
import { createBrowserUserData, profileCollection } from './profiles/stored-profiles.js'
import { startBrowserService, type TestBrowserService } from './testing/browser-service.js'
import { startChromium, type TestChromium } from './testing/chromium.js'
import { type BrowserUnderTest, guardFor, startPlugin } from './testing/plugin-under-test.js'
import { startSite, type TestSite } from './testing/test-site.js'

const principal = { userId: 'user-1', username: 'ada', handle: 'ada', role: 'user', scopes: ['read', 'write'] } as const
const admin = { ...principal, role: 'admin', scopes: ['read', 'write', 'admin'] } as const
const section: BrowserSettings = { profiles_path: '/profiles', connection_timeout_ms: 5_000, api_token: 'service' }
type Json = Readonly<Record<string, unknown>>
const jsonOf = async (answer: Promise<unknown>): Promise<Json> => ((await answer) as { readonly json: Json }).json

describe('the browser service', () => {
  let site: TestSite
  let home = ''
  const started: { stop(): Promise<void> }[] = []
  const guard = guardFor(() => [site.port])

  before(async () => {
    site = await startSite((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/set') response.setHeader('set-cookie', 'kept=yes; Max-Age=3600; Path=/')
      response.end(`<title>Page</title><p id=p>Cookies: ${request.headers.cookie ?? 'none'}</p><script>p.append(' and scripts')</script>`)
    })
    home = `http://site.test:${site.port}`
  })
  afterEach(async () => {
    for (const each of started.splice(0).reverse()) await each.stop()
  })
  after(() => site.close())

  const start = async <Started extends { stop(): Promise<void> }>(starting: Promise<Started>): Promise<Started> => {
    const made = await starting
    started.push(made)
    return made
  }
  const startBrowserAt = (url: string, config = {}): Promise<BrowserUnderTest> =>
    start(startPlugin({ url, guard, config: { connection_timeout_ms: 5_000, ...config } }))

  it('gets the profile, the proxy and the rules for WebRTC of each agent, and keeps its sign-ins', async () => {
    const service: TestBrowserService = await start(startBrowserService('right'))
    const browser = await startBrowserAt(service.url, { api_token: 'right', profiles_path: '/volume/' })
    expect((await browser.call('navigate', { url: `${home}/set` })).text).to.contain('Title: Page')
    await browser.call('close')
    expect((await browser.call('navigate', { url: `${home}/get` })).text).to.contain('kept=yes')
    expect(service.launches[0]).to.include('--user-data-dir=/volume/ada/agent-1').and.include('--proxy-bypass-list=<-loopback>')
    expect(service.launches[0]).to.include('--force-webrtc-ip-handling-policy=disable_non_proxied_udp')
    expect(await jsonOf(browser.test.request('POST /api/admin/browser/test', { principal: admin }))).to.deep.include({
      ok: true,
      kind: 'service',
    })
    expect((await browser.test.request('DELETE /api/browser/profile', { principal })).status).to.equal(204)
    expect((await browser.call('navigate', { url: `${home}/get` })).text).to.contain('Cookies: none')
  })

  it('is named with its token refused, unreachable or silent, and nothing waits for ever', async () => {
    const service = await start(startBrowserService('right'))
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    started.push({ stop: async () => void silent.close().closeAllConnections() })
    for (const [url, words] of [
      [service.url, /refused the token/],
      ['ws://127.0.0.1:9', /127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)/],
      [`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`, /did not answer within 500 ms/],
    ] as const) {
      const browser = await startBrowserAt(url, { connection_timeout_ms: 500, api_token: 'a-secret-of-the-operator' })
      const result = await browser.call('navigate', { url: home })
      expect(result.text).to.match(words).and.not.contain('a-secret')
      expect(result.isError).to.equal(true)
      const state = await jsonOf(browser.test.request('GET /api/browser', { principal }))
      expect(state['reason']).to.match(words)
      expect((await jsonOf(browser.test.request('POST /api/admin/browser/test', { principal: admin })))['ok']).to.equal(false)
    }
  })

  it('is connected to again after a crash', async () => {
    const first: TestChromium = await start(startChromium())
    const { port } = new URL(first.url)
    const browser = await startBrowserAt(`ws://127.0.0.1:${port}`)
    expect((await browser.call('navigate', { url: home })).isError).to.equal(false)
    await first.kill()
    const lost = await browser.call('snapshot')
    expect(lost.isError, lost.text).to.equal(true)
    await start(startChromium([`--remote-debugging-port=${port}`]))
    const again = await browser.call('navigate', { url: home })
    expect(again.text).to.contain('Title: Page')
  })

  it('shows people their own sessions, with pictures, and closes them', async () => {
    const browser = await startBrowserAt((await start(startChromium())).url)
    await browser.call('navigate', { url: home })
    const state = await jsonOf(browser.test.request('GET /api/browser', { principal }))
    const [session] = state['sessions'] as readonly Json[]
    expect(session).to.deep.include({ title: 'Page', url: `${home}/`, agent_handle: 'assistant', chat_id: 'chat-1', tabs: 1 })
    const params = { id: String(session?.['id']) }
    const picture = (await browser.test.request('GET /api/browser/sessions/{id}/screenshot', { principal, params })) as unknown as {
      readonly bytes: Buffer
    }
    expect(picture.bytes.subarray(0, 2).toString('hex')).to.equal('ffd8')
    const other = { ...principal, userId: 'user-2' }
    for (const route of ['GET /api/browser/sessions/{id}/screenshot', 'DELETE /api/browser/sessions/{id}'])
      expect(await browser.test.request(route, { principal: other, params }).catch((error: { code: string }) => error.code)).to.equal(
        'not_found',
      )
    expect(await jsonOf(browser.test.request('GET /api/admin/browser', { principal: admin }))).to.deep.include({
      sessions: 1,
      users: [{ user_id: 'user-1', sessions: 1 }],
    })
    expect((await browser.test.request('DELETE /api/browser/sessions/{id}', { principal, params })).status).to.equal(204)
    expect((await jsonOf(browser.test.request('GET /api/browser', { principal })))['sessions']).to.deep.equal([])
  })

  it('renders pages for others, of which nothing stays', async () => {
    const browser = await startBrowserAt((await start(startChromium())).url)
    const rendering = browser.test.provided(pageRenderingService)
    const options = { userId: 'user-1', signal: new AbortController().signal }
    const page = await rendering?.render(`${home}/set`, options)
    expect(page).to.deep.include({ status: 200, title: 'Page', cut: false, url: `${home}/set` })
    expect(page?.html).to.contain('Cookies: none and scripts')
    expect((await rendering?.render(`${home}/get`, { ...options, maxBytes: 40 }))?.cut).to.equal(true)
    for (const url of ['http://127.0.0.1/', 'http://closed.invalid/', 'file:///etc/passwd'])
      expect(await rendering?.render(url, options).then(String, (error: { code: string }) => error.code), url).to.equal(
        'page_rendering_failed',
      )
  })

  it('gives agents no tools where it is not configured, and says why', async () => {
    const test = createTestContext(createBrowserPlugin(), { config: {} })
    await test.setup()
    expect(test.contributed(tools)).to.deep.equal([])
    expect(test.contributed(httpRoutes).length).to.be.greaterThan(3)
    const state = await jsonOf(test.request('GET /api/browser', { principal }))
    expect(state).to.deep.include({ available: false, sessions: [] })
    expect(state['reason']).to.contain('browser.ws_url')
    expect(test.provided(pageRenderingService)?.available()).to.equal(false)
    await test.dispose()
  })
})

const withoutEffects = { state: 'not applicable', secrets: 'not applicable' } as const
const createLostCheck = () => createBrowserCheck({ ...section, api_token: 'token-of-the-service', ws_url: 'ws://127.0.0.1:9' })
describeDoctorCheck({
  ...withoutEffects,
  name: 'of the browser, without a service',
  create: () => createBrowserCheck(section),
  broken: 'not applicable',
})
describeDoctorCheck({
  ...withoutEffects,
  name: 'of the browser, with a service that is not there',
  create: createLostCheck,
  broken: createLostCheck,
  secrets: ['token-of-the-service'],
})

describeUserData({
  name: 'of the browser',
  create() {
    const database = createMemoryDatabase([profileCollection])
    const profiles = database.collection(profileCollection)
    const list = async (userId: string) => (await profiles.query({ index: 'by_user', equals: [userId], limit: 100 })).items
    const data = createBrowserUserData({ list }, async (userId) => {
      for (const { id } of await list(userId)) await profiles.delete(id)
    })
    return {
      data,
      database,
      async fill(userId) {
        for (const agent of ['one', 'two'])
          await profiles.insert({
            ...{ id: `${userId}.${agent}`, user_id: userId, agent_id: agent, folder: `${userId}/${agent}`, kept_by: 'here' },
            ...{ cookies: null, cookie_count: 0, updated_at: '2026-01-01T00:00:00.000Z' },
          })
      },
      restarted: 'not applicable',
    }
  },
})
