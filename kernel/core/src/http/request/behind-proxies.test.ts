import { Type } from '@agent-service/sdk'
import { defineRoute, noContent, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

describe('requests as proxies and health checks send them', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({
      routes: [
        defineRoute({
          method: 'GET',
          path: '/api/items/{id}',
          operationId: 'readItem',
          summary: 'For tests',
          auth: 'public',
          params: Type.Object({ id: Type.String() }),
          query: Type.Object({ a: Type.Optional(Type.String()) }),
          answers: { 200: { description: 'It.', schema: Type.Object({ id: Type.String(), a: Type.Optional(Type.String()) }) } },
          handle: async ({ params, query }) => ok({ ...params, ...query }),
        }),
        defineRoute({
          method: 'POST',
          path: '/api/items',
          operationId: 'changeItem',
          summary: 'For tests',
          auth: 'user',
          body: { kind: 'json', schema: Type.Object({}) },
          answers: { 204: { description: 'Done.' } },
          handle: async () => noContent(),
        }),
      ],
    })
    server.authenticator.grant('good', testPrincipal())
  })
  after(() => server.close())

  const head = (line: string, ...headers: readonly string[]) => `${[line, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

  it('may be of HTTP/1.0, without a host, and HEAD', async () => {
    for (const line of ['GET /healthz HTTP/1.0', 'HEAD /healthz HTTP/1.0', 'HEAD /readyz HTTP/1.0', 'OPTIONS /healthz HTTP/1.0'])
      expect((await rawRequest(server.port, `${line}\r\n\r\n`)).status, line).to.be.oneOf([200, 204])
  })

  it('may have their target in absolute form, which names the host of the request', async () => {
    for (const [target, host, expected] of [
      ['http://agents.example/api/items/x', 'agents.example', { id: 'x' }],
      ['HTTPS://Agents.Example:8443/api/items/x?a=b', 'agents.example:8443', { id: 'x', a: 'b' }],
      ['http://[fd00::1]:3001/api/items/x', '[fd00::1]:3001', { id: 'x' }],
      ['http://agents.example:80/api/items/x', 'agents.example', { id: 'x' }],
      ['https://agents.example/api/items/x', 'agents.example:443', { id: 'x' }],
    ] as const) {
      const answer = await rawRequest(server.port, head(`GET ${target} HTTP/1.1`, `Host: ${host}`))
      expect([answer.status, JSON.parse(answer.body)], target).to.deep.equal([200, expected])
    }
    expect((await rawRequest(server.port, head('GET http://a?x HTTP/1.1', 'Host: a'))).status).to.equal(404)
  })

  it('may not name two hosts, nor any other form', async () => {
    for (const target of [
      ...[
        'http://evil.example/api/items/x',
        'http://ada@agents.example/api/items/x',
        'http:///api/items/x',
        'ftp://agents.example/healthz',
      ],
      ...['http://agents.example//healthz', 'http://agents.example\\@evil.example/', 'agents.example/healthz', '*'],
    ])
      expect((await rawRequest(server.port, head(`GET ${target} HTTP/1.1`, 'Host: agents.example'))).status, target).to.equal(400)
  })

  it('may ask for the methods of the whole server', async () => {
    const answer = await rawRequest(server.port, head('OPTIONS * HTTP/1.1', 'Host: a'))
    expect([answer.status, answer.headers['allow']]).to.deep.equal([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
  })

  it('get no interim response over HTTP/1.0', async () => {
    const bytes = (version: string) =>
      `${head(`POST /api/items HTTP/${version}`, 'Host: a', 'Authorization: Bearer good', 'Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2')}{}`
    expect((await rawRequest(server.port, bytes('1.0'))).status).to.equal(204)
    expect((await rawRequest(server.port, bytes('1.1'))).status).to.equal(100)
  })

  it('may have the default port in their host, where the origin has none', async () => {
    const status = async (host: string, origin: string) =>
      (
        await rawRequest(
          server.port,
          `${head('POST /api/items HTTP/1.1', `Host: ${host}`, `Origin: ${origin}`, 'Cookie: refresh_token=good', 'Content-Type: application/json', 'Content-Length: 2')}{}`,
        )
      ).status
    for (const [host, origin] of [
      ['agents.example:443', 'https://agents.example'],
      ['agents.example:80', 'http://agents.example'],
      ['AGENTS.example', 'https://agents.example'],
      ['[fd00::1]:443', 'https://[fd00::1]'],
      ['[fd00::1]:3001', 'http://[fd00::1]:3001'],
    ] as const)
      expect(await status(host, origin), `${host} ${origin}`).to.equal(204)
    for (const [host, origin] of [
      ['agents.example:80', 'https://agents.example'],
      ['agents.example:443', 'http://agents.example'],
      ['agents.example:8443', 'https://agents.example'],
      ['agents.example', 'https://agents.example:8443'],
      ['agents.example:443', 'https://evil.example'],
      [':443', 'https://agents.example'],
    ] as const)
      expect(await status(host, origin), `${host} ${origin}`).to.equal(403)
  })

  it('may carry headers of proxies in any state', async () => {
    const headers = 'X-Forwarded-Proto: https, http\r\nX-Forwarded-For: unknown, , [::1]:8\r\nForwarded: for=_x;proto=https\r\n'
    expect((await rawRequest(server.port, getRequest('/healthz', headers))).status).to.equal(200)
  })
})
