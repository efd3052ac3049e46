import { once } from 'node:events'
import { Type } from '@agent-service/sdk'
import { type Actor, actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { openSocket } from '../testing/raw-request.js'
import { startTestServer, systemClock, type TestServer, testPrincipal } from '../testing/start-test-server.js'

const route = (path: string, more: Partial<Pick<HttpRoute, 'auth' | 'actors' | 'foreign' | 'rateClass'>>): HttpRoute =>
  defineRoute({
    ...{ method: 'GET', path, operationId: path.slice('/api/'.length).replaceAll('/', ''), summary: 'For tests', auth: 'user', ...more },
    answers: { 200: { description: 'The client.', schema: Type.Unknown() } },
    handle: async ({ address, loopback }) => ok({ address, loopback }),
  })
const clientRoute = route('/api/client', { auth: 'public', actors: actorKinds })
const actor: Actor = { kind: 'agent', id: 'a1', purpose: 'sandbox' }
const own = { authorization: 'Bearer program' }

async function start(options: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const server = await startTestServer(options)
  server.authenticator.grant('program', testPrincipal({ actor }))
  server.authenticator.grant('person', testPrincipal())
  return server
}

describe('the listener for programs of the service', () => {
  let server: TestServer
  afterEach(() => server.close())

  const clientAt = async (origin: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    (await fetch(`${origin}/api/client`, { headers: { ...own, ...headers } })).json()

  it('believes no forwarded address, also while the loopback is a trusted proxy', async () => {
    server = await start({ routes: [clientRoute], settings: { trusted_proxies: '127.0.0.0/8, ::1' } })
    const forged = { 'x-forwarded-for': '203.0.113.7' }
    expect(await clientAt(server.origin, forged)).to.deep.equal({ address: '203.0.113.7', loopback: false })
    expect(await clientAt(server.programOrigin, forged)).to.deep.equal({ address: '127.0.0.1', loopback: false })
  })

  it('takes no program for an operator of this machine', async () => {
    server = await start({ routes: [clientRoute] })
    expect(await clientAt(server.origin)).to.deep.equal({ address: '127.0.0.1', loopback: true })
    expect(await clientAt(server.programOrigin)).to.deep.equal({ address: '127.0.0.1', loopback: false })
  })

  it('serves a program only with its own token, and only what is open to its kind, public routes too', async () => {
    server = await start({
      routes: [
        clientRoute,
        route('/api/agents', { actors: ['agent'] }),
        route('/api/apps', { actors: ['app'] }),
        route('/api/people', {}),
        route('/api/open', { auth: 'public' }),
        route('/api/auth/login', { auth: 'public' }),
        route('/api/hook', { auth: 'public', foreign: true }),
      ],
      pages: { serve: async () => expect.fail('A page was served.') },
    })
    const ask = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
      const answer = await fetch(`${server.programOrigin}${path}`, { headers })
      const { code } = (await answer.json()) as { readonly code?: string }
      return code === undefined ? String(answer.status) : `${answer.status} ${code}`
    }
    for (const path of ['/api/client', '/api/agents']) expect(await ask(path, own), path).to.equal('200')
    for (const path of ['/api/apps', '/api/people', '/api/open', '/api/auth/login', '/api/hook', '/healthz'])
      expect(await ask(path, own), path).to.equal('403 people_only')
    for (const path of ['/api/client', '/api/people', '/api/auth/login', '/api/hook', '/healthz']) {
      expect(await ask(path), path).to.equal('401 unauthenticated')
      expect(await ask(path, { authorization: 'Bearer person' }), path).to.equal('401 unauthenticated')
      expect(await ask(path, { cookie: 'refresh_token=person' }), path).to.equal('401 unauthenticated')
      expect(await ask(path, { authorization: 'Bearer stale' }), path).to.equal('401 unauthenticated')
    }
    for (const path of ['/', '/chats']) expect(await ask(path, own), path).to.equal('404 not_found')
  })

  it('takes nothing of the share of people who come from this machine', async () => {
    server = await start({
      routes: [route('/api/auth/login', { auth: 'public' })],
      clock: { ...systemClock, monotonic: () => 0 },
    })
    for (let count = 0; count < 30; count += 1)
      for (const headers of [own, {}]) await fetch(`${server.programOrigin}/api/auth/login`, { headers })
    for (let count = 0; count < 10; count += 1) expect((await server.fetch('/api/auth/login')).status).to.equal(200)
    expect((await server.fetch('/api/auth/login')).status).to.equal(429)
  })

  it('counts expensive requests of programs apart from those of their person', async () => {
    server = await start({
      routes: [route('/api/work', { actors: ['agent'], rateClass: 'expensive' })],
      limits: { maxExpensivePerMinute: 2 },
    })
    const work = async (): Promise<number> => (await fetch(`${server.programOrigin}/api/work`, { headers: own })).status
    expect([await work(), await work(), await work()]).to.deep.equal([200, 200, 429])
    for (let count = 0; count < 2; count += 1) expect((await server.fetch('/api/work', { token: 'person' })).status).to.equal(200)
  })

  it('ends with the server, its connections too', async () => {
    server = await start({ routes: [clientRoute] })
    const port = Number(new URL(server.programOrigin).port)
    const open = await openSocket(port)
    const ended = once(open, 'close')
    // Answered once, the connection waits for the next request.
    const answered = once(open, 'data')
    open.write('GET /api/client HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer program\r\n\r\n')
    await answered
    await server.close()
    await ended
    expect(await openSocket(port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED')
  })

  it('accepts no connection while the server drains', async () => {
    server = await start({ routes: [clientRoute] })
    await server.server.drain(1_000)
    const port = Number(new URL(server.programOrigin).port)
    expect(await openSocket(port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED')
  })
})
