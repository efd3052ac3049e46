import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

describe('bad paths and heads', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({
      routes: [
        defineRoute({
          method: 'GET',
          path: '/api/items/{id}',
          operationId: 'getItem',
          summary: 'Item',
          auth: 'public',
          params: Type.Object({ id: Type.String() }),
          answers: { 200: { description: 'It.', schema: Type.Object({ id: Type.String() }) } },
          handle: async ({ params }) => ok({ id: params.id }),
        }),
      ],
    })
  })
  after(() => server.close())

  const codeOf = (body: string) => (JSON.parse(body) as { code: string }).code

  const refused: Readonly<Record<string, string>> = {
    'NUL, encoded': '/api/items/a%00b',
    'a malformed escape': '/api/items/a%zz',
    'a cut escape': '/api/items/a%2',
    'an encoded slash': '/api/items/a%2Fb',
    'an encoded slash in lower case': '/api/items/a%2fb',
    'an encoded backslash': '/api/items/a%5Cb',
    'a backslash': '/api/items/a\\b',
    'an empty segment': '/api//items/1',
    'an empty segment in front': '//api/items/1',
    'a dot segment': '/api/items/../items/1',
    'a single dot': '/api/./items/1',
    'an encoded dot segment': '/api/items/%2e%2e/items/1',
    'a half-encoded dot segment': '/api/items/.%2E/items/1',
    'a control character': '/api/items/a%0ab',
    'an overlong encoding': '/api/items/%c0%ae',
    'invalid UTF-8': '/api/items/%ff',
    'half a surrogate': '/api/items/%ed%a0%80',
    'a C1 control character': '/api/items/%c2%85',
    'a fragment': '/api/items/1#x',
    'an absolute target': 'http://evil.example/api/items/1',
    'an asterisk': '*',
  }
  for (const [what, target] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      const answer = await rawRequest(server.port, getRequest(target))
      expect(answer.status).to.equal(400)
      expect(answer.headers['content-type']).to.equal('application/problem+json')
      expect(codeOf(answer.body)).to.be.oneOf(['invalid_path', 'invalid_request_head'])
    })
  }

  it('decodes exactly once', async () => {
    const answer = await rawRequest(server.port, getRequest('/api/items/%252F%2525%20%C3%A4'))
    expect(JSON.parse(answer.body)).to.deep.equal({ id: '%2F%25 ä' })
  })

  it('refuses a malformed query with a problem', async () => {
    const answer = await rawRequest(server.port, getRequest('/api/items/1?a=%zz'))
    expect([answer.status, codeOf(answer.body)]).to.deep.equal([400, 'invalid_query'])
    const unknown = await rawRequest(server.port, getRequest('/api/items/1?__proto__=1'))
    expect([unknown.status, codeOf(unknown.body)]).to.deep.equal([422, 'invalid_request'])
  })

  it('refuses a missing, a repeated and an invalid Host', async () => {
    for (const head of ['', 'Host: a\r\nHost: b\r\n']) {
      const answer = await rawRequest(server.port, `GET /healthz HTTP/1.1\r\nConnection: close\r\n${head}\r\n`)
      expect([answer.status, codeOf(answer.body)], head).to.deep.equal([400, 'invalid_request_head'])
    }
  })

  it('answers input that is not HTTP, and headers that are too large, with problems', async () => {
    const nonsense = await rawRequest(server.port, 'HELLO\r\n\r\n')
    expect([nonsense.status, codeOf(nonsense.body)]).to.deep.equal([400, 'invalid_request_head'])
    const both = await rawRequest(
      server.port,
      'POST /api/items/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
    expect(both.status).to.equal(400)
    const large = await rawRequest(server.port, getRequest('/healthz', `X-Large: ${'x'.repeat(20_000)}\r\n`))
    expect([large.status, codeOf(large.body)]).to.deep.equal([431, 'headers_too_large'])
    expect(large.headers['connection']).to.equal('close')
  })

  it('13.4.4 answers unknown methods with the methods of the path', async () => {
    const known = await rawRequest(server.port, 'PROPFIND /api/items/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect([known.status, known.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS'])
    const unknown = await rawRequest(server.port, 'PROPFIND /api/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(unknown.status).to.equal(404)
  })

  it('answers a head that does not arrive in time', async () => {
    const slow = await startTestServer({ limits: { headersTimeoutMs: 200 } })
    try {
      const answer = await rawRequest(slow.port, 'GET /healthz HTTP/1.1\r\nHost: loc')
      expect([answer.status, codeOf(answer.body)]).to.deep.equal([408, 'request_timeout'])
    } finally {
      await slow.close()
    }
  })
})
