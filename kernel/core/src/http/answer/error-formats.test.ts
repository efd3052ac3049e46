import { Type } from '@agent-service/sdk'
import { defineErrorFormat, type FormattableError } from '@agent-service/sdk/contracts/http-error-format'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { defaultHttpLimits } from '../http-options.js'
import { getRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

const owner = { id: 'feature-foreign', prefixes: ['/foreign/v1'] }
const item: HttpRoute = defineRoute({
  method: 'POST',
  path: '/foreign/v1/items',
  operationId: 'createItem',
  summary: 'Item',
  auth: 'user',
  body: { kind: 'json', schema: Type.Object({ name: Type.String() }), limit: 1_000 },
  answers: { 200: { description: 'It.', schema: Type.Object({}) } },
  async handle({ body }) {
    if (body.name === 'broken') throw new Error('secret text')
    return ok({})
  },
})

describe('an error format', () => {
  let server: TestServer
  let seen: FormattableError[] = []
  let remove: () => unknown

  before(async () => {
    server = await startTestServer()
    server.authenticator.grant('token', testPrincipal())
    server.add(item, owner)
    const format = defineErrorFormat({
      prefix: '/foreign/v1',
      format(error) {
        seen.push(error)
        if (error.code === 'not_found') throw new Error('This format does not know it.')
        const status = error.status === 422 ? 400 : error.status === 413 ? 200 : undefined
        return {
          members: { error: { message: error.detail }, code: 'replaced' },
          ...(status !== undefined && { status }),
          headers: { 'X-Should-Retry': 'false', 'Content-Type': 'text/plain', 'www-authenticate': 'Other' },
        }
      },
    })
    remove = server.table.addErrorFormat(format, owner)
  })
  after(() => server.close())
  beforeEach(() => {
    seen = []
  })

  const send = async (path: string, init: RequestInit & { readonly token?: string } = {}) => {
    const answer = await server.fetch(path, { ...init, headers: { 'content-type': 'application/json' } })
    const body = (await answer.json()) as { readonly code: string; readonly status: number; readonly error?: { readonly message: string } }
    return { answer, body }
  }
  const post = (body: string, token?: string) => send('/foreign/v1/items', { method: 'POST', body, ...(token !== undefined && { token }) })

  for (const [what, request, status, code] of [
    ['a missing credential', () => post('{}'), 401, 'unauthenticated'],
    ['a wrong method', () => send('/foreign/v1/items', { method: 'PUT', body: '{}' }), 405, 'method_not_allowed'],
    ['a body that is not JSON', () => post('{', 'token'), 400, 'malformed_json'],
    ['a body that is not valid', () => post('{"name":1}', 'token'), 400, 'invalid_request'],
    ['a failure of the handler', () => post('{"name":"broken"}', 'token'), 500, 'internal_error'],
  ] as const) {
    it(`is that of ${what}`, async () => {
      const { answer, body } = await request()
      expect([answer.status, body.status, body.code]).to.deep.equal([status, status, code])
      expect(body.error?.message).to.be.a('string').and.not.contain('secret')
      expect(answer.headers.get('x-should-retry')).to.equal('false')
      expect(answer.headers.get('content-type')).to.equal('application/problem+json')
      if (status === 401) expect(answer.headers.get('www-authenticate')).to.equal('Bearer')
      if (status === 405) expect(answer.headers.get('allow')).to.equal('OPTIONS, POST')
    })
  }

  it('gets every problem of a validation', async () => {
    await post('{"name":1}', 'token')
    expect(seen.map(({ status, problems }) => [status, problems.map(({ path }) => path)])).to.deep.equal([[422, ['/name']]])
  })

  it('cannot turn an error into a success', async () => {
    const { answer, body } = await post(JSON.stringify({ name: 'x'.repeat(2_000) }), 'token')
    expect([answer.status, body.status, body.code]).to.deep.equal([413, 413, 'body_too_large'])
  })

  it('holds for paths that cannot be read', async () => {
    const answer = await rawRequest(server.port, getRequest('/foreign/v1/a%zz'))
    expect(answer.status).to.equal(400)
    expect((JSON.parse(answer.body) as { readonly error: object }).error).to.have.property('message')
  })

  it('is that of too many requests, and of a body that does not arrive', async () => {
    const slow = await startTestServer({ limits: { ...defaultHttpLimits, maxExpensivePerMinute: 1, maxBodyIdleMs: 50 } })
    try {
      slow.authenticator.grant('token', testPrincipal())
      slow.add({ ...item, rateClass: 'expensive' }, owner)
      slow.table.addErrorFormat(
        defineErrorFormat({ prefix: '/foreign/v1', format: ({ retryAfterSeconds }) => ({ members: { wait: retryAfterSeconds ?? null } }) }),
        owner,
      )
      const head = ['POST /foreign/v1/items HTTP/1.1', 'Host: localhost', 'Authorization: Bearer token', 'Content-Type: application/json']
      const half = await rawRequest(slow.port, `${head.join('\r\n')}\r\nContent-Length: 20\r\n\r\n{`)
      expect(half.status).to.equal(408)
      expect(JSON.parse(half.body)).to.include({ code: 'request_timeout', wait: null })
      const limited = await slow.fetch('/foreign/v1/items', { method: 'POST', body: '{}', token: 'token' })
      const body = (await limited.json()) as { readonly code: string; readonly wait: number }
      expect([limited.status, body.code]).to.deep.equal([429, 'rate_limited'])
      expect(limited.headers.get('retry-after')).to.equal(String(Math.max(1, Math.ceil(body.wait))))
    } finally {
      await slow.close()
    }
  })

  it('that fails leaves a plain problem', async () => {
    const { answer, body } = await send('/foreign/v1/unknown')
    expect([answer.status, body.code, body.error]).to.deep.equal([404, 'not_found', undefined])
    expect(server.log.filter(({ message }) => message === 'An error format failed.')).to.have.length(1)
  })

  it('does not hold beside its prefix', async () => {
    for (const path of ['/api/unknown', '/api/foreign/v1', '/foreign', '/foreign/v10/x']) {
      const answer = await server.fetch(path)
      expect(await answer.json(), path).to.not.have.property('error')
    }
    expect(seen).to.deep.equal([])
  })

  it('lies under the paths of its owner, is the only one of its prefix, and can be removed', async () => {
    const other = (prefix: string) => defineErrorFormat({ prefix, format: () => ({ members: { other: true } }) })
    expect(() => server.table.addErrorFormat(other('/api/chats'), owner)).to.throw(/“feature-foreign” is outside the paths/)
    expect(() => server.table.addErrorFormat(other('/foreign/v1'), { id: 'kernel' })).to.throw(/overlaps/)
    const removeInner = server.table.addErrorFormat(other('/foreign/v1/inner'), owner)
    expect((await send('/foreign/v1/inner/x')).body).to.include({ other: true, code: 'not_found' })
    await removeInner()
    await remove()
    expect((await post('{}')).body).to.not.have.property('error')
  })
})
