import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

const route = (path: string, encodedSlashes: boolean): HttpRoute =>
  defineRoute({
    method: 'GET',
    path,
    operationId: encodedSlashes ? 'getModel' : 'getItem',
    summary: 'One',
    auth: 'public',
    params: Type.Object({ id: Type.String() }),
    ...(encodedSlashes && { encodedSlashes }),
    answers: { 200: { description: 'It.', schema: Type.Object({ id: Type.String(), path: Type.String() }) } },
    handle: async ({ params, path: asked }) => ok({ id: params.id, path: asked }),
  })

describe('encoded slashes', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ routes: [route('/v1/models/{id}', true), route('/v1/items/{id}', false)] })
  })
  after(() => server.close())

  const get = async (path: string) => {
    const { status, body } = await rawRequest(server.port, getRequest(path))
    return { status, ...(JSON.parse(body) as { readonly id?: string; readonly path?: string; readonly code?: string }) }
  }

  it('are decoded in the parameters of a route that accepts them', async () => {
    expect(await get('/v1/models/agent%2Ftalker')).to.deep.include({ status: 200, id: 'agent/talker', path: '/v1/models/agent/talker' })
    expect(await get('/v1/models/agent%2ft%C3%A4lker')).to.deep.include({ status: 200, id: 'agent/tälker' })
    expect(await get('/v1/models/plain')).to.deep.include({ status: 200, id: 'plain' })
  })

  it('never separate segments, and are decoded once', async () => {
    expect(await get('/v1%2Fmodels/x')).to.include({ status: 400, code: 'invalid_path' })
    expect(await get('/v1/models%2Fx')).to.include({ status: 400, code: 'invalid_path' })
    expect(await get('/v1/models/a/b')).to.include({ status: 404 })
    expect(await get('/v1/models/a%252Fb')).to.deep.include({ status: 200, id: 'a%2Fb' })
  })

  it('are refused everywhere else', async () => {
    expect(await get('/v1/items/a%2Fb')).to.include({ status: 400, code: 'invalid_path' })
    expect(await get('/v1/unknown/a%2Fb')).to.include({ status: 400, code: 'invalid_path' })
    expect(await get('/page%2Fa')).to.include({ status: 400, code: 'invalid_path' })
  })

  it('let nothing else in', async () => {
    for (const id of ['a%2F..%2Fb', '..%2Fb', 'a%2F%2Fb', 'a%2F%1Fb', 'a%2F%5Cb', 'a%2F%00', 'a%2F%zz', 'a%2F%ff'])
      expect(await get(`/v1/models/${id}`), id).to.include({ status: 400, code: 'invalid_path' })
  })
})
