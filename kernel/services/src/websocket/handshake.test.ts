import { setImmediate } from 'node:timers/promises'
import {
  echoRoute,
  openSocket,
  openWebSocket,
  rawEchoRoute,
  rawRequest,
  refusedWebSocket,
  startTestServer,
  type TestServer,
  testPrincipal,
} from '@agent-service/kernel-core/http/testing'
import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { openWebSockets } from './index.js'

const token = 'a-token-of-ada'
const handshakeHead = (target: string, changes: readonly string[] = []): string =>
  [
    `GET ${target} HTTP/1.1`,
    'Host: localhost',
    ...(changes.length > 0
      ? changes
      : ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13']),
    '',
    '',
  ].join('\r\n')

describe('the handshake of a WebSocket', () => {
  let server: TestServer
  let url: string
  before(async () => {
    server = await startTestServer({
      webSockets: openWebSockets,
      routes: [
        defineRoute({
          method: 'POST',
          path: '/api/plain',
          operationId: 'plain',
          summary: 'Plain',
          auth: 'public',
          body: { kind: 'json', schema: Type.Object({ say: Type.String() }) },
          answers: { 200: { description: 'It.', schema: Type.Object({ said: Type.String() }) } },
          handle: async ({ body }) => ok({ said: body.say }),
        }),
      ],
      settings: { cors_origins: 'https://pages.example', frontend_url: 'https://front.example/app' },
    })
    server.authenticator.grant(token, testPrincipal())
    server.authenticator.grant('reader', testPrincipal({ scopes: ['read'] }))
    server.table.addWebSocket(
      echoRoute({ query: Type.Object({ room: Type.Optional(Type.Integer()) }), subprotocols: ['v2.echo', 'v1.echo'] }),
      { id: 'kernel' },
    )
    server.table.addWebSocket(rawEchoRoute(), { id: 'kernel' })
    server.table.addWebSocket(echoRoute({ path: '/api/admin-echo', operationId: 'adminEcho', auth: 'admin' }), { id: 'kernel' })
    url = `ws://127.0.0.1:${server.port}`
  })
  after(() => server.close())

  it('is refused for an actor of a kind that the route does not name', async () => {
    for (const kind of ['app', 'agent'] as const)
      server.authenticator.grant(kind, testPrincipal({ actor: { kind, id: 'a1', purpose: 'sandbox' } }))
    server.table.addWebSocket(echoRoute({ path: '/api/echo-people', operationId: 'echoPeople' }), { id: 'kernel' })
    server.table.addWebSocket(echoRoute({ path: '/api/echo-apps', operationId: 'echoApps', actors: ['app'] }), { id: 'kernel' })
    for (const [target, bearer] of [
      ['/api/echo-people', token],
      ['/api/echo-apps', 'app'],
    ] as const) {
      const connection = await openWebSocket(`${url}${target}`, { headers: { authorization: `Bearer ${bearer}` } })
      connection.socket.close(1000)
      expect((await connection.closed).code, target).to.equal(1000)
    }
    for (const [target, bearer] of [
      ['/api/echo-people', 'app'],
      ['/api/echo-apps', 'agent'],
    ] as const) {
      const refused = await refusedWebSocket(`${url}${target}`, { authorization: `Bearer ${bearer}` })
      expect(refused.problem, target).to.include({ status: 403, code: 'people_only' })
    }
  })

  const echoes = async (target: string, headers: Readonly<Record<string, string>>): Promise<void> => {
    const connection = await openWebSocket(`${url}${target}`, { headers })
    connection.socket.send('{"say":"hello"}')
    expect(await connection.next()).to.equal('{"said":"hello"}')
    connection.socket.close(1000)
    expect(await connection.closed).to.deep.equal({ code: 1000, reason: '' })
  }

  it('accepts the credential in the header, the query and the cookie', async () => {
    await echoes('/api/echo', { authorization: `Bearer ${token}` })
    await echoes(`/api/echo?token=${token}&room=7`, {})
    await echoes('/api/echo', { cookie: `refresh_token=${token}` })
  })

  it('refuses a missing or wrong credential, and one without the scope or the role', async () => {
    expect((await refusedWebSocket(`${url}/api/echo`)).problem).to.include({ status: 401, code: 'unauthenticated' })
    const wrong = await refusedWebSocket(`${url}/api/echo?token=wrong`)
    expect(wrong.problem).to.include({ status: 401, code: 'unauthenticated' })
    expect(wrong.headers).to.include({ 'content-type': 'application/problem+json', connection: 'close', 'cache-control': 'no-store' })
    expect(wrong.headers['x-request-id']).to.equal(wrong.problem['request_id'])
    expect(wrong.headers).to.have.property('content-security-policy')
    const reader = await refusedWebSocket(`${url}/api/echo`, { authorization: 'Bearer reader' })
    expect(reader.problem).to.include({ status: 403, code: 'forbidden' })
    expect(reader.problem['detail']).to.contain('“write”')
    expect((await refusedWebSocket(`${url}/api/admin-echo`, { authorization: `Bearer ${token}` })).problem).to.include({
      code: 'forbidden',
    })
  })

  it('accepts pages of allowed origins, with cookie and with token', async () => {
    for (const origin of ['https://pages.example', 'https://front.example', `http://127.0.0.1:${server.port}`]) {
      await echoes('/api/echo', { cookie: `refresh_token=${token}`, origin })
      await echoes(`/api/echo?token=${token}`, { origin })
    }
  })

  it('4.4.2 refuses pages of every other origin, whatever they send, before the credential is checked', async () => {
    const foreign = [
      'https://evil.example',
      'null',
      `http://app.localhost:${server.port}`,
      'http://127.0.0.1:1',
      'https://pages.example.evil',
    ]
    for (const origin of foreign) {
      for (const [target, headers] of [
        ['/api/echo', { cookie: `refresh_token=${token}` }],
        [`/api/echo?token=${token}`, {}],
        ['/api/echo?token=wrong', {}],
        ['/api/raw', {}],
      ] as const) {
        const { problem } = await refusedWebSocket(`${url}${target}`, { ...headers, origin })
        expect(problem, `${origin} ${target}`).to.include({ status: 403, code: 'cross_site_request' })
      }
    }
    const { problem } = await refusedWebSocket(`${url}/api/echo`, { cookie: `refresh_token=${token}`, 'sec-fetch-site': 'same-site' })
    expect(problem).to.include({ code: 'cross_site_request' })
    expect(server.authenticator.held()).to.equal(0)
  })

  it('holds a cookie beside the password of a proxy to the origin', async () => {
    const headers = { authorization: 'Basic YWRhOnB3', cookie: `refresh_token=${token}` }
    await echoes('/api/echo', { ...headers, origin: 'https://pages.example' })
    await echoes(`/api/echo?token=${token}`, { authorization: 'Basic YWRhOnB3' })
    for (const target of ['/api/echo', `/api/echo?token=${token}`, '/api/raw'])
      expect((await refusedWebSocket(`${url}${target}`, { ...headers, origin: 'https://evil.example' })).problem, target).to.include({
        ...{ status: 403, code: 'cross_site_request' },
      })
  })

  it('accepts a program with a bearer token from any origin', () =>
    echoes('/api/echo', { authorization: `Bearer ${token}`, origin: 'app://desk' }))

  it('validates path and query first', async () => {
    const { problem } = await refusedWebSocket(`${url}/api/echo?room=x&other=1`, { authorization: `Bearer ${token}` })
    expect(problem).to.include({ status: 422, code: 'invalid_request' })
    expect(JSON.stringify(problem['errors'])).to.contain('/room').and.contain('/other')
  })

  it('answers unknown paths, paths without a WebSocket and bad paths with problems', async () => {
    expect((await refusedWebSocket(`${url}/api/nothing`)).problem).to.include({ status: 404, code: 'not_found' })
    expect((await refusedWebSocket(`${url}/nothing`)).problem).to.include({ status: 404, code: 'not_found' })
    expect((await refusedWebSocket(`${url}/api/version`)).problem).to.include({ status: 400, code: 'websocket_unavailable' })
    expect((await rawRequest(server.port, handshakeHead('/api/%2e%2e/echo'))).status).to.equal(400)
    expect((await rawRequest(server.port, handshakeHead('http://other.example/api/raw'))).body).to.contain('invalid_path')
  })

  it('answers an ordinary request for its path with 426, after checking the credential', async () => {
    expect((await server.fetch('/api/echo')).status).to.equal(401)
    const answer = await server.fetch('/api/echo', { token })
    expect(answer.status).to.equal(426)
    expect(answer.headers.get('upgrade')).to.equal('websocket')
    expect(await answer.json()).to.include({ code: 'upgrade_required' })
    expect((await server.fetch('/api/echo', { token, method: 'POST' })).status).to.equal(405)
  })

  it('refuses malformed handshakes', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    const version = 'Sec-WebSocket-Version: 13'
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [[...upgrade, version], 400, 'invalid_handshake'],
      [[...upgrade, version, 'Sec-WebSocket-Key: short'], 400, 'invalid_handshake'],
      [[...upgrade, version, key, key], 400, 'invalid_handshake'],
      [[...upgrade, key], 426, 'upgrade_required'],
      [[...upgrade, key, 'Sec-WebSocket-Version: 7'], 426, 'upgrade_required'],
      [[...upgrade, key, version, 'Content-Length: 3'], 400, 'invalid_handshake'],
      [[...upgrade, key, version, 'Sec-WebSocket-Protocol: a, ,b'], 400, 'invalid_handshake'],
      [[...upgrade, key, version, 'Host: other'], 400, 'invalid_request_head'],
    ]
    for (const [headers, status, code] of cases) {
      const answer = await rawRequest(server.port, handshakeHead('/api/raw', headers))
      expect(answer.status, headers.join('; ')).to.equal(status)
      expect(JSON.parse(answer.body)).to.include({ status, code })
      expect(answer.headers['connection']).to.equal('close')
    }
    const posted = await rawRequest(server.port, handshakeHead('/api/raw').replace('GET', 'POST'))
    expect(JSON.parse(posted.body)).to.include({ code: 'invalid_handshake' })
    const old = await rawRequest(server.port, handshakeHead('/api/raw').replace('HTTP/1.1', 'HTTP/1.0'))
    expect(JSON.parse(old.body)).to.include({ code: 'invalid_handshake' })
  })

  it('answers a request for another protocol as an ordinary request, with its body, and keeps the connection', async () => {
    const socket = await openSocket(server.port)
    const body = '{"say":"hi"}'
    const h2c = ['Host: localhost', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ', '', ''].join(
      '\r\n',
    )
    socket.write(
      `POST /api/plain HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${h2c}${body}` +
        `GET /api/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    expect(text.match(/HTTP\/1\.1 200 OK/g)).to.have.length(2)
    expect(text).to.contain('{"said":"hi"}').and.contain('"version":"1.2.3"')
  })

  it('chooses the subprotocol that the route prefers', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const both = await openWebSocket(`${url}/api/echo`, { headers, protocols: ['v1.echo', 'v2.echo'] })
    expect(both.socket.protocol).to.equal('v2.echo')
    both.socket.terminate()
  })

  it('does not accept compression', async () => {
    const connection = await openWebSocket(`${url}/api/raw`)
    expect(connection.socket.extensions).to.equal('')
    connection.socket.terminate()
  })

  it('writes no token and no query to the log', async () => {
    await echoes(`/api/echo?token=${token}`, {})
    await refusedWebSocket(`${url}/api/echo?token=wrong-secret`)
    while (!server.log.some(({ message }) => message === 'websocket')) await setImmediate()
    const log = JSON.stringify(server.log)
    expect(log).to.contain('"operation":"echo"')
    for (const secret of [token, 'wrong-secret', 'token=']) expect(log).not.to.contain(secret)
  })
})
