import { Type } from '@agent-service/sdk'
import { defineRoute, ok, type RouteCookie } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

describe('cookies of plugins', () => {
  let server: TestServer
  let given: readonly RouteCookie[] = []

  const routeOf = (operationId: string) =>
    defineRoute({
      method: 'GET',
      path: `/api/${operationId}`,
      operationId,
      summary: 'What came.',
      auth: 'public',
      answers: { 200: { description: 'It.', schema: Type.Unknown() } },
      handle: async ({ cookies, headers }) => ({
        ...ok({ cookies: { ...cookies }, header: headers['cookie'] ?? null }),
        headers: { 'set-cookie': 'plain=1' },
        cookies: given,
      }),
    })
  const ask = (path: string, cookie: string) => server.fetch(path, { headers: { cookie } })

  before(async () => {
    server = await startTestServer({ routes: [routeOf('own')] })
    server.add(routeOf('one'), { id: 'plugin-one' })
    server.add(routeOf('two'), { id: 'plugin-one-more' })
  })
  after(() => server.close())
  beforeEach(() => {
    given = []
  })

  it('are visible only to the plugin that set them, and those of the service to no plugin', async () => {
    const cookie = 'refresh_token=secret; plugin-one.a=1; plugin-one-more.b=2; plugin-one.bad name=3; a=4; plugin-one.=5; plugin-one.x.y=6'
    expect(await (await ask('/api/one', cookie)).json()).to.deep.equal({ cookies: { a: '1' }, header: null })
    expect(await (await ask('/api/two', cookie)).json()).to.deep.equal({ cookies: { b: '2' }, header: null })
    expect(await (await ask('/api/own', cookie)).json()).to.deep.include({ cookies: {}, header: cookie })
  })

  it('are set besides others, and pages cannot read them: 3.3.1, 3.3.2, 3.3.4', async () => {
    given = [{ name: 'state', value: 'v1.a-b_c', path: '/api/one', maxAgeSeconds: 60 }]
    const response = await ask('/api/one', '')
    expect(response.headers.getSetCookie()).to.deep.equal([
      'plain=1',
      'plugin-one.state=v1.a-b_c; Max-Age=60; Path=/api/one; HttpOnly; Secure; SameSite=Lax',
    ])
  })

  it('cannot inject attributes, other cookies or headers', async () => {
    const good: RouteCookie = { name: 'a', value: 'b', path: '/', maxAgeSeconds: 1 }
    for (const bad of [
      ...['', 'a=b', 'a;b', 'a b', 'a.b', 'x'.repeat(65)].map((name) => ({ name })),
      ...['a;b', 'a b', 'a,b', 'a"b', 'a\\b', 'a\r\nb', 'ä'].map((value) => ({ value })),
      ...['', 'a', '/a;b', '/a\nb', '/ä'].map((path) => ({ path })),
      ...[-1, 0.5, Number.NaN].map((maxAgeSeconds) => ({ maxAgeSeconds })),
    ]) {
      given = [{ ...good, ...bad }]
      const response = await ask('/api/one', '')
      expect([bad, response.status, response.headers.getSetCookie()]).to.deep.equal([bad, 500, []])
    }
  })
})
