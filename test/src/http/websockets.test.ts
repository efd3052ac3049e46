import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { validate } from '@readme/openapi-parser'
import { expect } from 'chai'
import { type Client, createClient, type SignedInPerson } from '../security/support/clients.js'
import { connect } from './support/web-socket.js'
import { writePlugin } from './support/write-http-plugin.js'

const talk = `
  context.contribute(sockets.websocketRoutes, sockets.defineWebSocketRoute({
    path: '/api/plugins/chess/talk', operationId: 'chessTalk', summary: 'Talk', auth: 'user',
    messages: { kind: 'json', inbound: Type.Object({ say: Type.String() }), outbound: Type.Object({ said: Type.String(), to: Type.String() }) },
    async handle({ request, messages, send }) {
      for await (const { json } of messages) await send({ kind: 'json', json: { said: json.say, to: request.principal.username } })
    },
  }))`

describe('WebSockets of a plugin in the real service', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  let client: Client
  let ada: SignedInPerson
  let url: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-websocket-'))
    const plugins = [
      await writePlugin(folder, { id: 'chess', contributes: ['websocket.route'] }, talk),
      await writePlugin(folder, { id: 'grabs', contributes: ['websocket.route'] }, talk.replaceAll('chessTalk', 'grabsTalk')),
      await writePlugin(
        folder,
        { id: 'doubles', contributes: ['websocket.route', 'http.route'] },
        `${talk.replaceAll('chess', 'doubles')}
        context.contribute(routes.httpRoutes, routes.defineRoute({
          method: 'GET', path: '/api/plugins/doubles/talk', operationId: 'doublesRead', summary: 'Read', auth: 'user',
          answers: { 204: { description: 'Nothing.' } }, handle: async () => routes.noContent(),
        }))`,
      ),
      await writePlugin(
        folder,
        { id: 'squats', contributes: ['http.site'] },
        `context.contribute(sites.httpSites, {
        specVersion: 1, host: 'squats.localhost', handle: async () => ({ status: 200, headers: [] }) })`,
      ),
      await writePlugin(folder, { id: 'claims', contributes: ['http.site'], hosts: ['claims.localhost'] }, ''),
      await writePlugin(
        folder,
        { id: 'vague', contributes: ['websocket.route'] },
        talk.replaceAll('chess', 'vague').replace("kind: 'json',", ''),
      ),
    ]
    kernel = await createTestKernel({ folder: path.join(folder, 'service'), plugins, pluginLimits: { drainMs: 3_600_000 } })
    client = createClient(kernel.url)
    ada = await client.signUp('ada')
    url = `${kernel.url}/api/plugins/chess/talk`
  })
  afterEach(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const answered = '{"said":"hello","to":"ada"}'
  const refusal = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'it was opened',
      (error: unknown) => String(error),
    )

  it('work with the access token in the header and the query, with a personal token, and with the cookie', async () => {
    const made = await client.send('POST', '/api/auth/tokens', { headers: ada.authorization, body: { name: 'script' } })
    const personal = String(made.json['token'])
    const ways: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [url, ada.authorization],
      [url, { authorization: `Bearer ${personal}` }],
      [`${url}?token=${ada.accessToken}`, {}],
      [url, { cookie: ada.cookie }],
      [url, { cookie: ada.cookie, origin: kernel.url }],
    ]
    for (const [address, headers] of ways) {
      const connection = await connect(address, headers)
      expect(await connection.ask('{"say":"hello"}')).to.equal(answered)
      connection.socket.close()
      await connection.closed
    }
    expect(await refusal(connect(`${url}?token=${personal}`)))
      .to.contain('401')
      .and.contain('unauthenticated')
    expect(await refusal(connect(url, { cookie: ada.cookie, origin: 'https://evil.example' })))
      .to.contain('403')
      .and.contain('cross_site_request')
    expect(await refusal(connect(`${url}?token=${ada.accessToken}`, { origin: 'https://evil.example' }))).to.contain('cross_site_request')
    expect(await refusal(connect(url))).to.contain('401')
    expect(await refusal(connect(`${kernel.url}/api/plugins/chess/other`, ada.authorization))).to.contain('404')
    for (const secret of [ada.accessToken, personal, ada.cookie.split('=')[1] ?? ''])
      expect(JSON.stringify(kernel.log)).not.to.contain(secret)
  })

  it('end at logout, for the token and the cookie of the session', async () => {
    const connections = [
      await connect(url, ada.authorization),
      await connect(`${url}?token=${ada.accessToken}`),
      await connect(url, { cookie: ada.cookie }),
    ]
    await client.send('POST', '/api/auth/logout', { headers: ada.authorization })
    for (const { closed } of connections) expect(await closed).to.deep.equal({ code: 1008, reason: 'credential_ended' })
  })

  it('end when the account is disabled', async () => {
    const bob = await client.signUp('bob')
    const connection = await connect(url, bob.authorization)
    const { status } = await client.send('PATCH', `/api/admin/users/${bob.userId}`, {
      headers: ada.authorization,
      body: { disabled: true },
    })
    expect(status).to.equal(200)
    expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'credential_ended' })
  })

  it('end with 1001 at once when the plugin is disabled, are not found then, and work again when it is enabled', async () => {
    // Calls in flight would be given an hour.
    const connection = await connect(url, ada.authorization)
    await client.confirm(ada)
    const disabled = client.send('POST', '/api/admin/plugins/chess/disable', { headers: ada.authorization })
    expect(await connection.closed).to.deep.equal({ code: 1001, reason: 'stopping' })
    expect((await disabled).json['stopped']).to.deep.equal(['chess'])
    expect(await refusal(connect(url, ada.authorization))).to.contain('404')
    await client.send('POST', '/api/admin/plugins/chess/enable', { headers: ada.authorization })
    const again = await connect(url, ada.authorization)
    expect(await again.ask('{"say":"hello"}')).to.equal(answered)
  })

  it('end with 1012 when the service stops', async () => {
    const connection = await connect(url, ada.authorization)
    const stopped = kernel.stop()
    expect(await connection.closed).to.deep.equal({ code: 1012, reason: 'draining' })
    await stopped
  })

  it('fail only the plugin that collides, leaves its path, claims a host, or declares something false', async () => {
    const { json } = await client.send('GET', '/api/admin/plugins?limit=200', { headers: ada.authorization })
    const reports = json['items'] as readonly { readonly id: string; readonly state: string; readonly reason: string | null }[]
    const reasonOf = (id: string) => reports.find((report) => report.id === id)?.reason
    expect(reports.find(({ id }) => id === 'chess')?.state).to.equal('active')
    expect(reasonOf('grabs')).to.contain('paths of this plugin must lie below /api/plugins/grabs/')
    expect(reasonOf('doubles'))
      .to.contain('its routes GET /api/plugins/doubles/talk (a WebSocket) and GET')
      .and.contain('answer the same requests')
    expect(reasonOf('squats')).to.contain('squats.localhost').and.contain('hosts')
    expect(reasonOf('claims')).to.contain('“hosts”, which only built-in plugins may have')
    expect(reasonOf('vague')).to.contain('/messages/kind')
  })

  it('are described, and the description stays valid', async () => {
    const { json } = await client.send('GET', '/api/openapi.json')
    const operation = (json['paths'] as Record<string, { readonly get: Readonly<Record<string, unknown>> }>)['/api/plugins/chess/talk']?.get
    expect(operation).to.deep.include({ operationId: 'chessTalk', 'x-auth': 'user', 'x-scope': 'write', 'x-owner': 'chess' })
    expect(operation?.['x-websocket']).to.deep.include({
      kind: 'json',
      inbound: { $ref: '#/components/schemas/ChessTalkInbound' },
      outbound: { $ref: '#/components/schemas/ChessTalkOutbound' },
    })
    expect(operation?.['responses']).to.include.all.keys('101', '401', '403', '426', '429')
    const { schemas } = json['components'] as { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> }
    expect(schemas['ChessTalkInbound']?.required).to.deep.equal(['say'])
    const result = await validate(json as unknown as Parameters<typeof validate>[0])
    expect(result.valid, JSON.stringify(result)).to.equal(true)
  })
})
