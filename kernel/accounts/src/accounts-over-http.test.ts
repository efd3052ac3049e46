import { type EventsUnderTest, endTestStores, openEventsUnderTest } from '@agent-service/kernel-core/events/testing'
import { type JsonObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type AuthUnderTest, openAuthUnderTest, type SignedInBody } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

/** The events of a response, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void arrived.push(event) })
  const decoder = new TextDecoder()
  if (!response.body) throw new Error('The response has no body.')
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
    yield* arrived.splice(0)
  }
}

/** A stream of the caller's events after a position. */
const routeOf = ({ streams }: EventsUnderTest): HttpRoute =>
  defineRoute({
    ...{ method: 'GET', path: '/api/events', operationId: 'streamEvents', summary: 'Stream', auth: 'user', streaming: true },
    query: Type.Object({ after: Type.Optional(Type.Integer()) }),
    answers: { 200: { description: 'The stream.', contentType: 'text/event-stream' } },
    async handle({ principal, query, headers, signal }) {
      const after = Number(headers['last-event-id'] ?? query.after ?? Number.NaN)
      const events = streams.open(String(principal?.userId), { signal, ...(Number.isNaN(after) ? {} : { after }) })
      return { status: 200, kind: 'events', events }
    },
  })

describe('accounts and events over HTTP', () => {
  let auth: AuthUnderTest
  let events: EventsUnderTest
  let server: AuthServer
  let ada: SignedInBody

  const post = (path: string, body: JsonObject, token?: string): Promise<Response> =>
    server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const problemOf = async (response: Response): Promise<unknown> => [
    response.status,
    ((await response.json()) as { readonly code: string }).code,
  ]

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    events = await openEventsUnderTest({ store: auth.store, clock: auth.clock })
    server = await startAuthServer(auth, [...auth.routes, routeOf(events)])
    ada = (await (await post('/api/auth/register', { username: 'ada', password: 'correct horse' })).json()) as SignedInBody
  })
  afterEach(async () => {
    await server.close()
    events.close()
    expect(server.answerCheck.violations).to.deep.equal([])
    await endTestStores()
  })

  it('signs up from this machine, in, and shows the profile', async () => {
    expect(ada.user).to.include({ username: 'ada', role: 'admin' })
    const again = await post('/api/auth/login', { username: 'ADA', password: 'correct horse' })
    expect(again.status).to.equal(200)
    const { access_token: token } = (await again.json()) as SignedInBody
    const profile = await server.fetch('/api/auth/me', { token })
    expect(await profile.json()).to.deep.equal(ada.user)
  })

  it('answers with the documented codes', async () => {
    expect(await problemOf(await post('/api/auth/login', { username: 'ada', password: 'wrong horse' }))).to.deep.equal([
      401,
      'invalid_credentials',
    ])
    expect(await problemOf(await post('/api/auth/register', { username: 'ada', password: 'correct horse' }))).to.deep.equal([
      409,
      'username_taken',
    ])
    expect(await problemOf(await post('/api/auth/register', { username: 'bob', password: 'password1' }))).to.deep.equal([
      422,
      'password_too_common',
    ])
    expect(await problemOf(await post('/api/auth/register', { username: 'bob', password: 'correct horse', admin: true }))).to.deep.equal([
      422,
      'invalid_request',
    ])
    expect(await problemOf(await server.fetch('/api/auth/me'))).to.deep.equal([401, 'unauthenticated'])
    expect(await problemOf(await server.fetch('/api/auth/me', { token: `${ada.access_token}x` }))).to.deep.equal([401, 'unauthenticated'])
  })

  it('lets only admins administer', async () => {
    const bob = (await (await post('/api/auth/register', { username: 'bob', password: 'correct horse' })).json()) as SignedInBody
    expect(await problemOf(await server.fetch('/api/admin/users', { token: bob.access_token }))).to.deep.equal([403, 'forbidden'])
    expect(await problemOf(await server.fetch('/api/admin/users'))).to.deep.equal([401, 'unauthenticated'])
    const list = (await (await server.fetch('/api/admin/users?limit=1', { token: ada.access_token })).json()) as {
      readonly items: readonly JsonObject[]
    }
    expect(list.items.map(({ username }) => username)).to.deep.equal(['ada'])
  })

  it('refuses the first account to a caller behind a proxy, who has no code', async () => {
    const fresh = await openAuthUnderTest()
    const other = await startAuthServer(fresh, fresh.routes)
    const body = { username: 'eve', password: 'correct horse' }
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' }
    const sent = (more: JsonObject): Promise<Response> =>
      other.fetch('/api/auth/register', { method: 'POST', headers, body: JSON.stringify({ ...body, ...more }) })
    expect(await problemOf(await sent({}))).to.deep.equal([403, 'setup_code_required'])
    expect((await sent({ setup_code: String(await fresh.pendingSetupCode()) })).status).to.equal(201)
    await other.close()
  })

  it('streams events, resumes behind Last-Event-ID, and takes the token in the query', async () => {
    const position = events.events.position(ada.user.id)
    const stream = eventsOf(await server.fetch(`/api/events?after=${position}`, { token: ada.access_token }))
    await events.commit(ada.user.id, ['run.started', { chat_id: 'c' }], ['message.created', { text: 'line one\nline two' }])
    events.delta(ada.user.id, { offset: 0 })
    const first = await stream.next()
    const second = await stream.next()
    const third = await stream.next()
    expect([first, second, third].map(({ value }) => value?.event)).to.deep.equal(['run.started', 'message.created', 'text.delta'])
    expect(JSON.parse(second.value?.data)).to.deep.equal({ text: 'line one\nline two' })
    await stream.return(undefined)
    const again = await server.fetch(`/api/events?token=${ada.access_token}`, { headers: { 'last-event-id': String(first.value?.id) } })
    const resumed = eventsOf(again)
    expect((await resumed.next()).value).to.deep.equal(second.value)
    expect((await resumed.next()).value).to.deep.equal(third.value)
    await resumed.return(undefined)
  })

  it('7.4.1 ends a stream as soon as its session does', async () => {
    const response = await server.fetch('/api/events', { token: ada.access_token })
    const stream = eventsOf(response)
    events.delta(ada.user.id)
    expect((await stream.next()).value?.event).to.equal('text.delta')
    const { sessionId } = await auth.principal(ada.access_token)
    await auth.sessions.end(String(sessionId), '192.0.2.7')
    let left = 0
    for await (const event of stream) left += event.event === 'text.delta' ? 1 : 0
    expect(left).to.equal(0)
    expect(await problemOf(await server.fetch('/api/events', { token: ada.access_token }))).to.deep.equal([401, 'unauthenticated'])
  })
})
