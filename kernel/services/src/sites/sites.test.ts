import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { SiteTable } from '@agent-service/kernel-core/http/routing'
import {
  openSocket,
  openWebSocket,
  rawRequest,
  refusedWebSocket,
  startTestServer,
  type TestServer,
  testPrincipal,
} from '@agent-service/kernel-core/http/testing'
import type { HttpSite, SiteRequest, SiteResponse } from '@agent-service/sdk/contracts/http-site'
import { expect } from 'chai'
import { WebSocketServer } from 'ws'
import { createSiteTable, openSites } from './index.js'

const text = async (source: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const each of texts) yield Buffer.from(each)
}

/** A site that returns the request as JSON. */
const echoSite = (changes: Partial<HttpSite> = {}): HttpSite => ({
  specVersion: 1,
  host: '*.localhost',
  async handle({ method, host, label, target, headers, body }) {
    const seen = JSON.stringify({ method, host, label, target, headers, body: await text(body) })
    return { status: 200, headers: [['content-type', 'application/json']], body: bytesOf(seen) }
  },
  ...changes,
})

describe('sites on hosts of their own', () => {
  let server: TestServer
  let siteTable: SiteTable
  beforeEach(async () => {
    siteTable = createSiteTable({ ownUrls: ['https://service.localhost', 'https://api.example.org:8443'] })
    server = await startTestServer({
      sites: openSites,
      settings: { base_url: 'https://service.localhost', cors_origins: 'https://pages.example' },
      siteTable,
    })
    server.authenticator.grant('token-of-ada', testPrincipal())
    siteTable.claim('apps', ['*.localhost', 'docs.example.org'])
  })
  afterEach(() => server.close())

  const add = (changes: Partial<HttpSite> = {}) => server.table.addSite(echoSite(changes), { id: 'apps' })
  const get = (host: string, target = '/', headers: readonly string[] = []) =>
    rawRequest(server.port, [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n'))
  const seenBy = (answer: { readonly body: string }): Omit<SiteRequest, 'body'> & { readonly body: string } =>
    JSON.parse(/\{.*\}/s.exec(answer.body)?.[0] ?? 'null')

  it('get every method and path, not decoded, and no route does', async () => {
    add()
    const answer = await get('notes.localhost:8080', '/api/version?x=%2f&token=token-of-ada')
    expect(seenBy(answer)).to.deep.include({
      method: 'GET',
      host: 'notes.localhost',
      label: 'notes',
      target: '/api/version?x=%2f&token=token-of-ada',
    })
    const options = await rawRequest(
      server.port,
      'PROPFIND /a/../%zz HTTP/1.1\r\nHost: NOTES.localhost.\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello',
    )
    expect(seenBy(options)).to.deep.include({ method: 'PROPFIND', host: 'notes.localhost', target: '/a/../%zz', body: 'hello' })
    for (const host of [
      'localhost',
      'LOCALHOST.',
      '127.0.0.1',
      '[::1]:80',
      'service.localhost',
      'a.b.localhost',
      'unknown.example',
      'api.example.org',
    ])
      expect((await get(host, '/api/version')).body, host).to.contain('"version":"1.2.3"')
  })

  it('are not served to programs of the service', async () => {
    add()
    server.authenticator.grant('program', testPrincipal({ actor: { kind: 'agent', id: 'a1', purpose: 'sandbox' } }))
    const { port } = new URL(server.programOrigin)
    const head = ['GET / HTTP/1.1', 'Host: notes.localhost', 'Connection: close', 'Authorization: Bearer program', '', '']
    const answer = await rawRequest(Number(port), head.join('\r\n'))
    expect(answer.status).to.equal(404)
    expect(answer.body).to.contain('not_found')
  })

  it('prefer an exact host to a pattern', async () => {
    siteTable.claim('docs', ['docs.localhost'])
    add()
    server.table.addSite(
      echoSite({ host: 'docs.localhost', handle: async () => ({ status: 200, headers: [], body: bytesOf('the docs') }) }),
      {
        id: 'docs',
      },
    )
    expect((await get('docs.localhost')).body).to.contain('the docs')
    expect(seenBy(await get('other.localhost'))).to.include({ label: 'other' })
  })

  it('are never answered by the API, even while their plugin does not run', async () => {
    const remove = add()
    await remove()
    const answer = await get('notes.localhost', '/api/version', ['Authorization: Bearer token-of-ada'])
    expect(answer.status).to.equal(503)
    expect(answer.body).to.contain('route_stopping').and.not.contain('1.2.3')
    expect((await get('notes.localhost', '/healthz')).status).to.equal(503)
    const { problem } = await refusedWebSocket(`ws://127.0.0.1:${server.port}/api/x`, { host: 'notes.localhost' })
    expect(problem).to.include({ code: 'route_stopping' })
    const stopping = AbortSignal.abort()
    server.table.addSite(echoSite(), { id: 'apps', stopping })
    expect((await get('notes.localhost')).status).to.equal(503)
  })

  it('see no credential of the service, and need none', async () => {
    add()
    const jwt = `${Buffer.from('{"alg":"EdDSA","typ":"at+jwt"}').toString('base64url')}.e30.c2ln`
    const own = await get('notes.localhost', '/', [
      'Cookie: refresh_token=token-of-ada; session=theirs;  refresh_token=again',
      `Authorization: Bearer ${jwt}`,
      'X-Private: gone',
      'Proxy-Authorization: Basic eDp5',
      'Connection: X-Private',
    ])
    expect(own.text).not.to.contain('token-of-ada').and.not.contain(jwt).and.not.contain('gone').and.not.contain('eDp5')
    expect(seenBy(own).headers).to.deep.include(['cookie', 'session=theirs'])
    expect((await get('notes.localhost', '/', ['Authorization: Bearer svc_pat_abc'])).text).not.to.contain('svc_pat_abc')
    for (const header of ['Basic eDp5, Bearer svc_pat_abc', 'Bearer svc_pat_abc x', `Basic eDp5,Bearer ${jwt}`]) {
      const joined = await get('notes.localhost', '/', [`Authorization: ${header}`])
      expect(joined.text, header).not.to.contain('svc_pat_abc').and.not.contain(jwt)
    }
    const theirs = await get('notes.localhost', '/', ['Authorization: Basic eDp5', 'Cookie: refresh_token=token-of-ada'])
    expect(seenBy(theirs).headers).to.deep.include(['authorization', 'Basic eDp5'])
    expect(seenBy(theirs).headers.map(([name]) => name)).not.to.include('cookie')
    expect(server.authenticator.held()).to.equal(0)
  })

  it('cannot affect other hosts with headers, and get security headers for foreign content', async () => {
    add({
      handle: async () => ({
        status: 200,
        headers: [
          ['Set-Cookie', 'refresh_token=forged; Domain=localhost; Path=/'],
          ['set-cookie', 'a=b; HttpOnly; domain = .localhost'],
          ['Clear-Site-Data', '"cookies"'],
          ['Alt-Svc', 'h2="evil.example:443"'],
          ['Transfer-Encoding', 'gzip'],
          ['X-Request-Id', 'forged'],
          ['X-Own', 'kept'],
        ],
      }),
    })
    const answer = await get('notes.localhost', '/', ['Origin: https://pages.example'])
    expect(answer.text).to.contain('set-cookie: refresh_token=forged; Path=/').and.contain('set-cookie: a=b; HttpOnly\r\n')
    expect(answer.headers).to.include({ 'x-own': 'kept', 'x-content-type-options': 'nosniff', 'origin-agent-cluster': '?1' })
    expect(answer.headers['content-security-policy']).to.equal("frame-ancestors 'self' https://service.localhost")
    expect(answer.headers).not.to.have.any.keys('clear-site-data', 'alt-svc', 'access-control-allow-origin', 'x-frame-options')
    expect(answer.headers['x-request-id']).not.to.equal('forged')
  })

  it('can override the security headers', async () => {
    add({ handle: async () => ({ status: 404, headers: [['content-security-policy', "default-src 'none'"]] }) })
    const answer = await get('notes.localhost')
    expect(answer.status).to.equal(404)
    expect(answer.headers['content-security-policy']).to.equal("default-src 'none'")
  })

  it('stream in both directions at once', async () => {
    add({
      async handle({ body }) {
        return {
          status: 200,
          headers: [],
          body: (async function* () {
            for await (const chunk of body) yield Buffer.from(String(chunk).toUpperCase())
          })(),
        }
      },
    })
    const request: ClientRequest = httpRequest({
      port: server.port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { host: 'notes.localhost' },
    })
    request.write('one')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(String((await once(response, 'data'))[0])).to.equal('ONE')
    request.write('two')
    expect(String((await once(response, 'data'))[0])).to.equal('TWO')
    request.end()
    response.resume()
    await once(response, 'end')
  })

  it('cannot run into the next response of a connection with a wrong length', async () => {
    add({ handle: async () => ({ status: 200, headers: [['content-length', '2']], body: bytesOf('ok', 'HTTP/1.1 200 OK\r\n\r\nforged') }) })
    const answer = await get('notes.localhost')
    expect(answer.text).not.to.contain('forged')
    for (const length of ['x', '-1', '1e3']) {
      const site = echoSite({ host: 'docs.example.org', handle: async () => ({ status: 200, headers: [['content-length', length]] }) })
      const remove = server.table.addSite(site, { id: 'apps' })
      expect((await get('docs.example.org')).status).to.equal(500)
      await remove()
    }
  })

  it('answer HEAD without a body, and failures with problems', async () => {
    const remove = add({ handle: async () => ({ status: 200, headers: [['content-length', '5']], body: bytesOf('hello') }) })
    const head = await rawRequest(server.port, 'HEAD / HTTP/1.1\r\nHost: notes.localhost\r\nConnection: close\r\n\r\n')
    expect(head).to.deep.include({ status: 200, body: '' })
    expect(head.headers['content-length']).to.equal('5')
    await remove()
    const faults: readonly (readonly [HttpSite['handle'], number])[] = [
      [() => Promise.reject(new Error('secret words')), 500],
      [async () => ({ status: 101, headers: [] }), 500],
      [
        async () => ({
          status: 200,
          headers: [
            ['content-encoding', 'gzip'],
            ['x-bad', 'a\r\nb: c'],
          ],
        }),
        500,
      ],
    ]
    for (const [handle, status] of faults) {
      const undo = add({ handle })
      const answer = await get('notes.localhost')
      expect(answer.status).to.equal(status)
      expect(answer.text).not.to.contain('secret').and.not.contain('b: c').and.not.contain('gzip')
      await undo()
    }
    add()
    for (const host of ['x@y.localhost', 'a/b.localhost', 'a b.localhost']) expect((await get(host)).status, host).to.equal(400)
    expect((await get('notes.localhost', 'http://localhost/api/version')).body).to.contain('invalid_path')
    const large = await rawRequest(server.port, 'POST / HTTP/1.1\r\nHost: notes.localhost\r\nContent-Length: 999999999\r\n\r\n')
    expect(large.status).to.equal(413)
  })

  it('are aborted when the client disconnects and when their owner ends', async () => {
    let entered: (request: SiteRequest) => void = () => undefined
    const began = () =>
      new Promise<SiteRequest>((resolve) => {
        entered = resolve
      })
    const handle = (request: SiteRequest): Promise<SiteResponse> => {
      entered(request)
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    const lease = new AbortController()
    server.table.addSite(echoSite({ handle }), { id: 'apps', acquire: () => ({ signal: lease.signal, release: () => undefined }) })
    const first = began()
    const socket = await openSocket(server.port)
    socket.write('GET / HTTP/1.1\r\nHost: notes.localhost\r\n\r\n')
    const { signal } = await first
    socket.destroy()
    if (!signal.aborted) await once(signal, 'abort')
    const second = began()
    const answer = get('notes.localhost')
    await second
    lease.abort()
    expect((await answer).status).to.equal(503)
  })

  it('are refused on hosts of the service and of other owners', () => {
    siteTable.claim('greedy', [
      'localhost',
      '127.0.0.1',
      'service.localhost',
      'api.example.org',
      '*.localhost',
      '*.own.example',
      '*.com:80',
    ])
    const site = (host: string) => echoSite({ host })
    const greedy = { id: 'greedy' }
    for (const host of [
      'localhost',
      '127.0.0.1',
      'service.localhost',
      'api.example.org',
      '*.com:80',
      'Upper.example',
      '*',
      'a.*.b',
      '10.1',
    ])
      expect(() => server.table.addSite(site(host), greedy), host)
        .to.throw()
        .with.property('code', 'site_invalid')
    expect(() => server.table.addSite(site('*.localhost'), greedy))
      .to.throw('“apps”')
      .with.property('code', 'site_conflict')
    expect(() => server.table.addSite(site('other.example'), greedy))
      .to.throw('hosts')
      .with.property('code', 'site_not_owned')
    server.table.addSite(site('*.own.example'), greedy)
    expect(() => server.table.addSite(site('*.own.example'), greedy))
      .to.throw()
      .with.property('code', 'site_conflict')
  })

  describe('and upgrades', () => {
    /** A WebSocket server behind the raw bytes of the tunnel. */
    const echoingSite = async (): Promise<{ readonly site: HttpSite; close(): Promise<void> }> => {
      const upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
      await once(upstream, 'listening')
      upstream.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${String(data)}`)))
      const { port } = upstream.address() as { readonly port: number }
      const upgrade: HttpSite['upgrade'] = async ({ headers, target, body, signal }) => {
        const request = httpRequest({
          ...{ port, host: '127.0.0.1', path: target },
          headers: { ...Object.fromEntries(headers), connection: 'Upgrade', upgrade: 'websocket' },
        })
        request.end()
        const [response, socket] = (await once(request, 'upgrade')) as [IncomingMessage, import('node:net').Socket]
        signal.addEventListener('abort', () => socket.destroy())
        void (async () => {
          for await (const chunk of body) socket.write(chunk)
          socket.end()
        })().catch(() => socket.destroy())
        return {
          status: 101,
          headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const),
          bytes: socket,
        }
      }
      return {
        site: echoSite({ upgrade }),
        close: async () => {
          for (const client of upstream.clients) client.terminate()
          upstream.close()
          await once(upstream, 'close')
        },
      }
    }

    it('forward a WebSocket as raw bytes in both directions, and end it with the service', async () => {
      const { site, close } = await echoingSite()
      server.table.addSite(site, { id: 'apps' })
      const connection = await openWebSocket(`ws://127.0.0.1:${server.port}/live?x=1`, {
        headers: { host: 'notes.localhost', origin: 'http://notes.localhost', cookie: 'refresh_token=token-of-ada' },
      })
      for (const message of ['one', 'two', 'x'.repeat(200_000)]) {
        connection.socket.send(message)
        expect(await connection.next()).to.equal(`echo ${message}`)
      }
      connection.socket.close(4002, 'bye')
      expect(await connection.closed).to.deep.equal({ code: 4002, reason: 'bye' })
      const other = await openWebSocket(`ws://127.0.0.1:${server.port}/`, { headers: { host: 'notes.localhost' } })
      await server.server.drain(5_000)
      expect((await other.closed).code).to.equal(1006)
      await close()
    })

    it('end at once when the owner is about to stop', async () => {
      const { site, close } = await echoingSite()
      const stopping = new AbortController()
      server.table.addSite(site, { id: 'apps', stopping: stopping.signal })
      const connection = await openWebSocket(`ws://127.0.0.1:${server.port}/`, { headers: { host: 'notes.localhost' } })
      stopping.abort()
      expect((await connection.closed).code).to.equal(1006)
      await close()
    })

    it('can be refused by the site with a response of its own', async () => {
      add({ upgrade: async () => ({ status: 403, headers: [['content-type', 'application/json']], body: bytesOf('{"why":"not you"}') }) })
      const refused = await refusedWebSocket(`ws://127.0.0.1:${server.port}/`, { host: 'notes.localhost' })
      expect(refused).to.deep.include({ status: 403, problem: { why: 'not you' } })
      expect(refused.headers).to.include({ connection: 'close', 'x-content-type-options': 'nosniff' })
    })

    it('are answered with a problem if the response of the site is not valid', async () => {
      add({ upgrade: async () => ({ status: 1000, headers: [['x-half', 'set']] }) })
      const refused = await refusedWebSocket(`ws://127.0.0.1:${server.port}/`, { host: 'notes.localhost' })
      expect([refused.status, refused.problem['code']]).to.deep.equal([500, 'internal_error'])
      expect(refused.headers).to.include({ connection: 'close', 'x-content-type-options': 'nosniff' })
      expect(refused.headers).to.not.have.property('x-half')
    })

    it('are handled as ordinary requests if the site does not support them', async () => {
      add()
      const answer = await get('notes.localhost', '/x', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'])
      expect(answer.status).to.equal(200)
      expect(seenBy(answer).headers).to.deep.include(['sec-websocket-version', '13'])
    })

    it('never reach the WebSockets of the API', async () => {
      let called = 0
      add({
        upgrade: async () => {
          called += 1
          return { status: 404, headers: [], body: bytesOf('{}') }
        },
      })
      const refused = await refusedWebSocket(`ws://127.0.0.1:${server.port}/api/echo?token=token-of-ada`, { host: 'notes.localhost' })
      expect(refused.status).to.equal(404)
      expect(called).to.equal(1)
    })
  })
})
