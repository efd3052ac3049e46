import { defineError, Type } from '@agent-service/sdk'
import { created, defineRoute, noContent, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

const echoRoute = defineRoute({
  method: 'POST',
  path: '/api/echo/{name}',
  operationId: 'echo',
  summary: 'Echo',
  auth: 'user',
  params: Type.Object({ name: Type.String({ maxLength: 20 }) }),
  query: Type.Object({ times: Type.Optional(Type.Integer({ minimum: 1, default: 1 })), loud: Type.Optional(Type.Boolean()) }),
  body: { kind: 'json', schema: Type.Object({ text: Type.String(), kind: Type.Optional(Type.String({ default: 'plain' })) }), limit: 1000 },
  answers: { 201: { description: 'Made.', schema: Type.Unknown() } },
  handle: async ({ params, query, body, principal, headers }) =>
    created({ params, query: { ...query }, body: { ...body }, user: principal?.username ?? null, headers: Object.keys(headers) }),
})

const readRoute = defineRoute({
  method: 'GET',
  path: '/api/things/{thing_id}',
  operationId: 'getThing',
  summary: 'Thing',
  auth: 'user',
  params: Type.Object({ thing_id: Type.String() }),
  answers: { 200: { description: 'It.', schema: Type.Object({ id: Type.String() }) } },
  handle: async ({ params }) => {
    const { thing_id: id } = params
    if (id === 'missing') throw notFoundError.create({ what: 'thing' })
    if (id === 'broken') throw new Error('secret internal text')
    return ok({ id })
  },
})

const adminRoute = defineRoute({
  method: 'DELETE',
  path: '/api/things/{id}',
  operationId: 'deleteThing',
  summary: 'Delete',
  auth: 'admin',
  answers: { 204: { description: 'Gone.' } },
  handle: async () => noContent(),
})

const upstream = (code: string, status: number) =>
  defineError<Record<string, never>>({ code, status, title: 'Upstream failed', message: () => 'The other system gave no answer.' })
const fetchFailedError = upstream('fetch_failed', 502)
const fetchSlowError = upstream('fetch_slow', 504)
const fetchOffError = upstream('fetch_off', 503)
const fetchUnknownError = upstream('fetch_unknown', 501)
const fetchLoopError = upstream('fetch_loop', 508)
const inwardError = upstream('inward', 500)

const upstreamRoute = defineRoute({
  method: 'POST',
  path: '/api/upstream/{code}',
  operationId: 'callUpstream',
  summary: 'Upstream',
  auth: 'user',
  params: Type.Object({ code: Type.String() }),
  errors: [fetchFailedError, fetchSlowError, fetchOffError, fetchUnknownError, fetchLoopError, inwardError],
  answers: { 204: { description: 'Called.' } },
  handle: async ({ params: { code } }) => {
    if (code === 'off') throw fetchOffError.create({})
    const hidden = [inwardError, upstream('undeclared', 502), upstream('fetch_failed', 504)]
    const shown = [fetchUnknownError, fetchLoopError]
    const errors = [fetchFailedError, fetchSlowError, ...hidden, fetchOffError, upstream('undeclared', 503), ...shown]
    throw (errors[Number(code)] ?? inwardError).create({}, { cause: new Error('secret internal text') })
  },
})

describe('http pipeline', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ routes: [echoRoute, readRoute, adminRoute, upstreamRoute] })
    server.authenticator.grant('good', testPrincipal())
    server.authenticator.grant('admin', testPrincipal({ role: 'admin', scopes: ['read', 'write', 'admin'] }))
    server.authenticator.grant('admin-without-scope', testPrincipal({ role: 'admin', scopes: ['read', 'write'] }))
    server.authenticator.grant('reader', testPrincipal({ scopes: ['read'] }))
  })
  after(() => server.close())

  const post = (path: string, body: string, token: string | null = 'good') =>
    server.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json' }, ...(token === null ? {} : { token }) })

  it('14.3.2 converts, fills in defaults, validates and passes everything to the handler without credentials', async () => {
    const answer = await post('/api/echo/a%20b?times=3&loud=true', '{"text":"hi"}')
    expect(answer.status).to.equal(201)
    const json = (await answer.json()) as Record<string, unknown>
    expect(json['params']).to.deep.equal({ name: 'a b' })
    expect(json['query']).to.deep.equal({ times: 3, loud: true })
    expect(json['body']).to.deep.equal({ text: 'hi', kind: 'plain' })
    expect(json['user']).to.equal('ada')
    expect(json['headers']).to.not.include('authorization')
    expect(answer.headers.get('cache-control')).to.equal('no-store')
  })

  it('answers 422 with every problem and its path', async () => {
    const wrongQuery = await post('/api/echo/x?times=zero&what=1&loud=true&loud=false', '{"text":"hi"}')
    expect(wrongQuery.status).to.equal(422)
    const problem = (await wrongQuery.json()) as { code: string; errors: { path: string; message: string }[] }
    expect(problem.code).to.equal('invalid_request')
    expect(problem.errors.map(({ path }) => path).sort()).to.deep.equal(['/loud', '/times', '/what'])
    const wrongBody = await post('/api/echo/x', '{"text":5,"more":true}')
    expect(wrongBody.status).to.equal(422)
    expect(((await wrongBody.json()) as typeof problem).errors.map(({ path }) => path).sort()).to.deep.equal(['/more', '/text'])
    expect((await post(`/api/echo/${'x'.repeat(21)}`, '{"text":"hi"}')).status).to.equal(422)
  })

  it('answers 401 and 403 before it reads the body', async () => {
    const none = await post('/api/echo/x', 'not json', null)
    expect(none.status).to.equal(401)
    expect(none.headers.get('content-type')).to.equal('application/problem+json')
    expect(((await none.json()) as { code: string }).code).to.equal('unauthenticated')
    expect((await post('/api/echo/x', 'not json', 'bad')).status).to.equal(401)
    expect((await post('/api/echo/x', 'not json', 'reader')).status).to.equal(403)
    expect((await server.fetch('/api/things/1', { method: 'DELETE', token: 'good' })).status).to.equal(403)
    expect((await server.fetch('/api/things/1', { method: 'DELETE', token: 'admin-without-scope' })).status).to.equal(403)
    expect((await server.fetch('/api/things/1', { method: 'DELETE', token: 'admin' })).status).to.equal(204)
  })

  it('14.2.1 accepts ?token= only on streaming routes', async () => {
    expect((await server.fetch('/api/things/1?token=good')).status).to.equal(401)
  })

  it('answers unknown paths, wrong methods, HEAD and OPTIONS', async () => {
    const unknown = await server.fetch('/api/nothing')
    expect(unknown.status).to.equal(404)
    expect(((await unknown.json()) as { code: string }).code).to.equal('not_found')
    const wrongMethod = await server.fetch('/api/things/1', { method: 'PUT' })
    expect(wrongMethod.status).to.equal(405)
    expect(wrongMethod.headers.get('allow')).to.equal('DELETE, GET, HEAD, OPTIONS')
    const head = await server.fetch('/api/things/1', { method: 'HEAD', token: 'good' })
    expect(head.status).to.equal(200)
    expect(head.headers.get('content-length')).to.equal(String('{"id":"1"}'.length))
    expect(await head.text()).to.equal('')
    const options = await server.fetch('/api/things/1', { method: 'OPTIONS' })
    expect(options.status).to.equal(204)
    expect(options.headers.get('allow')).to.equal('DELETE, GET, HEAD, OPTIONS')
  })

  it('is case-sensitive and exact', async () => {
    for (const path of ['/API/things/1', '/api/Things/1', '/api/things/1/', '/api/things']) {
      expect((await server.fetch(path, { token: 'good' })).status, path).to.equal(404)
    }
  })

  it('16.5.1 shows known errors, and only the request id of unknown ones', async () => {
    const missing = await server.fetch('/api/things/missing', { token: 'good' })
    expect(missing.status).to.equal(404)
    const broken = await server.fetch('/api/things/broken', { token: 'good', headers: { 'x-request-id': 'request-0001' } })
    expect(broken.status).to.equal(500)
    const text = await broken.text()
    expect(text).to.not.include('secret').and.to.not.include('    at ')
    expect(JSON.parse(text)).to.include({ code: 'internal_error', request_id: 'request-0001', status: 500 })
    const line = server.log.find(({ level, fields }) => level === 'error' && fields['request_id'] === 'request-0001')
    expect(line?.fields['error']).to.have.property('message', 'secret internal text')
  })

  it('shows failures of other systems that the route declares, without their causes, and no others', async () => {
    const answerOf = async (index: number) => {
      const answer = await server.fetch(`/api/upstream/${index}`, { method: 'POST', token: 'good' })
      const text = await answer.text()
      expect(text).to.not.include('secret')
      return [answer.status, (JSON.parse(text) as { readonly code: string }).code, text.includes('The other system gave no answer.')]
    }
    expect(await answerOf(0)).to.deep.equal([502, 'fetch_failed', true])
    expect(await answerOf(1)).to.deep.equal([504, 'fetch_slow', true])
    const lines = server.log.filter(({ fields }) => fields['operation'] === 'callUpstream' && fields['error'] !== undefined)
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn', 'warn'])
    for (const hidden of [2, 3, 4]) expect(await answerOf(hidden)).to.deep.equal([500, 'internal_error', false])
    expect(await answerOf(7)).to.deep.equal([501, 'fetch_unknown', true])
    expect(await answerOf(8)).to.deep.equal([508, 'fetch_loop', true])
  })

  it('logs what a route declares as unavailable as a warning, with a stack only where there is a cause', async () => {
    const answerOf = async (code: string) => {
      const answer = await server.fetch(`/api/upstream/${code}`, { method: 'POST', token: 'good' })
      return [answer.status, ((await answer.json()) as { readonly code: string }).code]
    }
    const before = server.log.length
    expect(await answerOf('off')).to.deep.equal([503, 'fetch_off'])
    expect(await answerOf('5')).to.deep.equal([503, 'fetch_off'])
    expect(await answerOf('6')).to.deep.equal([503, 'undeclared'])
    const lines = server.log.slice(before).filter(({ message }) => message === 'A request could not be served.')
    expect(lines.map(({ level, fields }) => [level, fields['code'], fields['error'] !== undefined])).to.deep.equal([
      ['warn', 'fetch_off', false],
      ['warn', undefined, true],
      ['error', undefined, true],
    ])
  })

  it('sets a request id on every response, and accepts a valid one from the client', async () => {
    expect((await server.fetch('/healthz')).headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
    const bad = await server.fetch('/healthz', { headers: { 'x-request-id': 'a"b<script>' } })
    expect(bad.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
  })

  it('releases every watch on a credential, and every response matched its declaration', () => {
    expect(server.authenticator.held()).to.equal(0)
    expect(server.answerCheck.violations).to.deep.equal([])
  })
})
