import { Type } from '@agent-service/sdk'
import { readBytes } from '@agent-service/sdk/async'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

const route = (path: string, foreign: boolean): HttpRoute =>
  defineRoute({
    ...{ method: 'POST', path, operationId: foreign ? 'takeHook' : 'takeItem', summary: 'One', auth: 'public', foreign },
    params: Type.Object({ id: Type.String() }),
    body: { kind: 'stream', contentTypes: ['*/*'], limit: 1_000, example: 'x' },
    answers: { 200: { description: 'It.', schema: Type.Object({}, { additionalProperties: true }) } },
    async handle({ headers, rawTarget = null, principal, bodyStream, signal }) {
      const bytes = bodyStream ? await readBytes(bodyStream, { maxBytes: 1_000, signal }) : new Uint8Array()
      const { authorization = null, cookie = null } = headers
      return ok({ authorization, cookie, rawTarget, isKnown: principal !== undefined, body: Buffer.from(bytes).toString('hex') })
    },
  })

describe('requests of programs elsewhere', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ routes: [route('/hooks/{id}', true), route('/items/{id}', false)] })
  })
  after(() => server.close())

  const post = async (target: string, lines: readonly string[]) => {
    const head = [`POST ${target} HTTP/1.1`, 'host: localhost', 'connection: close', 'content-length: 2', ...lines]
    const { status, body } = await rawRequest(server.port, `${head.join('\r\n')}\r\n\r\nhi`)
    return { status, ...(JSON.parse(body) as Readonly<Record<string, unknown>>) }
  }
  const credentials = ['authorization: Basic dG93bg==', 'cookie: refresh_token=theirs; other=1']

  it('bring their own credentials, which are none of the service, and any body', async () => {
    const target = '/hooks/a%20b?b=1&a=%zz&a=2&b=x+y'
    expect(await post(target, [...credentials, 'content-encoding: gzip', 'origin: https://elsewhere.example'])).to.deep.equal({
      ...{ status: 200, authorization: 'Basic dG93bg==', cookie: null, rawTarget: target, isKnown: false, body: '6869' },
    })
  })

  it('are as all others where the route is not for them', async () => {
    expect(await post('/items/a', [...credentials.slice(0, 1), 'content-type: text/plain'])).to.deep.include({
      ...{ status: 200, authorization: null, rawTarget: null },
    })
    expect(await post('/items/a?b=1', ['content-type: text/plain'])).to.deep.include({ status: 422 })
    expect(await post('/items/a', [])).to.deep.include({ status: 415 })
  })
})
