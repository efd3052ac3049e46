import { Type } from '@agent-service/sdk'
import { defineErrorFormat } from '@agent-service/sdk/contracts/http-error-format'
import { defineRoute, type HttpRoute, notFoundError, ok, scopeMissingError } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, postRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'
import { mendTarget } from './mend-target.js'

const owner = { id: 'feature-foreign', prefixes: ['/v1', '/strict', '/api/things'] }
const answers = { 200: { description: 'It.', schema: Type.Object({}, { additionalProperties: true }) } }

/** Details of an error that names what it would have ignored. */
const noted = { scopes: [], ignored_parameters: ['mood', 'a\r\nb: c'] }

const item = (prefix: string, operationId: string): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: `${prefix}/items`,
    operationId,
    summary: 'Item',
    auth: 'user',
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    body: { kind: 'json', schema: Type.Object({ name: Type.String() }) },
    answers,
    async handle({ body, query, path }) {
      if (body.name === 'missing') throw notFoundError.create({ what: 'item' })
      if (body.name === 'noted') throw scopeMissingError.create(noted)
      return { ...ok({ path, query: { ...query } }), headers: { 'X-Ignored-Parameters': 'mood, client' } }
    },
  })

describe('the target of a lenient protocol', () => {
  const mended = (raw: string) => mendTarget(raw, ['/v1', '/api/foreign'])

  it('is mended in front of, inside and behind its prefix', () => {
    for (const [raw, expected] of [
      ['//v1/models', '/v1/models'],
      ['/v1//models', '/v1/models'],
      ['/v1/models/', '/v1/models'],
      ['/v1/', '/v1'],
      ['/v1/v1/models', '/v1/models'],
      ['/v1//v1///v1/models//?a=//&b', '/v1/models?a=//&b'],
      ['/api/foreign/api/foreign/x', '/api/foreign/x'],
      ['/v1/models/a%2F%2Fb', '/v1/models/a%2F%2Fb'],
    ] as const)
      expect(mended(raw)).to.equal(expected)
  })

  it('is left alone everywhere else', () => {
    for (const raw of [
      '//api/chats',
      '/api//chats',
      '/v10//x',
      '/v1x/',
      '/',
      '//',
      '*',
      'http://a//v1/x',
      '/V1//x',
      '/%761//x',
      '/v1',
      '/v1/v10',
    ])
      expect(mended(raw)).to.equal(raw)
    expect(mendTarget('/v1//x', [])).to.equal('/v1//x')
  })
})

describe('a lenient protocol', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
    server.authenticator.grant('token', testPrincipal())
    for (const [prefix, lenient] of [
      ['/v1', true],
      ['/strict', false],
    ] as const) {
      server.add(item(prefix, lenient ? 'createItem' : 'createStrictItem'), owner)
      const mistaken = lenient ? ['/items', '/api/things'] : []
      const format = ({ path }: { readonly path: string }) => ({ members: { error: { path } } })
      server.table.addErrorFormat(defineErrorFormat({ prefix, lenient, mistaken, format }), owner)
    }
    server.add(item('/api/things', 'createThing'), owner)
  })
  after(() => server.close())

  const post = (target: string, body = '{"name":"x"}', headers = 'Content-Type: application/json\r\n') =>
    rawRequest(server.port, postRequest(target, body, `Authorization: Bearer token\r\n${headers}`))

  it('ignores parameters of the query that the route does not have, and names them beside those of the handler', async () => {
    const answer = await post('/v1/items?limit=3&api-version=2024&client=secret&api-version=2&a%0d%0aset-cookie:x=1')
    expect(answer.status).to.equal(200)
    expect(JSON.parse(answer.body)).to.deep.include({ query: { limit: 3 } })
    expect(answer.headers['x-ignored-parameters']).to.equal('api-version, client, a__set-cookie_x, mood')
    expect(answer.headers).to.not.have.property('set-cookie')
    expect((await post('/v1/items?limit=x')).status).to.equal(422)
    expect((await post('/strict/items?api-version=2024')).status).to.equal(422)
    expect((await post('/api/things/items?api-version=2024')).status).to.equal(422)
  })

  it('names them in errors too, before and after the handler', async () => {
    const refused = await rawRequest(server.port, postRequest('/v1/items?a=1', '{}'))
    expect([refused.status, refused.headers['x-ignored-parameters']]).to.deep.equal([401, 'a'])
    const invalid = await post('/v1/items?a=1', '{}')
    expect([invalid.status, invalid.headers['x-ignored-parameters']]).to.deep.equal([422, 'a'])
    const missing = await post('/v1/items?a=1', '{"name":"missing"}')
    expect([missing.status, missing.headers['x-ignored-parameters']]).to.deep.equal([404, 'a'])
    const noted = await post('/v1/items?a=1', '{"name":"noted"}')
    expect([noted.status, noted.headers['x-ignored-parameters']]).to.deep.equal([403, 'a, mood, a__b__c'])
  })

  it('names a bounded number', async () => {
    const many = Array.from({ length: 190 }, (_, index) => `parameter-${index}-${'x'.repeat(20)}`).join('&')
    const names = (await post(`/v1/items?${many}`)).headers['x-ignored-parameters']?.split(', ')
    expect(names).to.have.length(40)
    const long = (await post(`/v1/items?${'y'.repeat(2_000)}`)).headers['x-ignored-parameters'] ?? ''
    expect(long.length).to.be.below(200)
  })

  it('3.5.2 takes JSON without a type, as text/json, and with a byte order mark, and nothing else', async () => {
    for (const headers of ['', 'Content-Type: text/json\r\n', 'Content-Type: application/json; charset=UTF-8\r\n', 'Content-Type: \r\n'])
      expect((await post('/v1/items', '{"name":"x"}', headers)).status, headers).to.equal(200)
    expect((await post('/v1/items', '\ufeff{"name":"x"}')).status).to.equal(200)
    const cookie = await rawRequest(server.port, postRequest('/v1/items', '{"name":"x"}', 'Cookie: refresh_token=token\r\n'))
    expect(cookie.status).to.equal(415)
    const basic = 'Authorization: Basic YWRhOnB3\r\nCookie: refresh_token=token\r\n'
    expect((await rawRequest(server.port, postRequest('/v1/items', '{"name":"x"}', basic))).status).to.equal(415)
    for (const headers of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json; charset=latin1',
    ])
      expect((await post('/v1/items', '{"name":"x"}', `Content-Type: ${headers}\r\n`)).status, headers).to.equal(415)
    const packed = await post('/v1/items', 'x', 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n')
    expect([packed.status, packed.body]).to.satisfy(([status, body]: [number, string]) => status === 415 && body.includes('not supported'))
    for (const headers of ['', 'Content-Type: text/json\r\n'])
      expect((await post('/strict/items', '{"name":"x"}', headers)).status).to.equal(415)
  })

  it('has the mended path in front of everything that follows: the route, the handler and the log', async () => {
    const answer = await post('/v1//v1/items/?a=1')
    expect(JSON.parse(answer.body)).to.include({ path: '/v1/items' })
    const line = server.log.filter(({ message }) => message === 'request').at(-1)
    expect(line?.fields).to.include({ path: '/v1/items', operation: 'createItem', status: 200 })
    expect((await post('/strict//items')).status).to.equal(400)
    expect((await post('/strict/items/')).status).to.equal(404)
  })

  it('of a plugin that is not built in speaks for its own paths alone', () => {
    const stranger = { id: 'stranger', prefixes: ['/api/plugins/stranger/'] }
    const add = (prefix: string, mistaken: readonly string[]) =>
      server.table.addErrorFormat(
        defineErrorFormat({ prefix, lenient: true, mistaken, format: () => ({ members: {}, status: 401 }) }),
        stranger,
      )
    for (const prefix of ['/api', '/v1', '/api/plugins/other']) expect(() => add(prefix, []), prefix).to.throw(prefix)
    for (const prefix of ['/api', '/chat/completions', '/api/plugins/other', '/v1'])
      expect(() => add('/api/plugins/stranger', [prefix]), prefix).to.throw(prefix)
    void add('/api/plugins/stranger/v1', ['/api/plugins/stranger/models'])()
  })

  it('has its errors also where its clients look for it by mistake, unless a route is there', async () => {
    for (const [target, path] of [
      ['/items', '/items'],
      ['/items/1', '/items/1'],
      ['/api/things/none', '/api/things/none'],
      ['/items%20/1', '/items /1'],
      ['/v1%20%20/items', '/v1  /items'],
    ] as const) {
      const answer = await rawRequest(server.port, getRequest(target))
      expect([answer.status, JSON.parse(answer.body).error]).to.deep.equal([404, { path }])
    }
    expect((await rawRequest(server.port, getRequest('//items'))).body).to.contain('"error"')
    for (const target of ['/itemsx', '/api/none', '/api/things/items', '/strict%20/x', '/items%20x', '/%20']) {
      const answer = await rawRequest(server.port, getRequest(target))
      expect(JSON.parse(answer.body), target).to.not.have.property('error')
    }
  })
})
