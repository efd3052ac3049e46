import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { users } from './records/records.js'
import { type AuthUnderTest, openAuthUnderTest, type SignedInBody } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

interface Endpoint {
  readonly method: string
  readonly path: string
  /** A body that holds; which of its members must be there. */
  readonly body: JsonObject
  readonly required: readonly string[]
  /** Members that null clears. */
  readonly nullable?: readonly string[]
}

const profile = { name: 'Eve', email: 'eve@example.org', timezone: 'Europe/Berlin', language: 'de' }

/** Every route of accounts that takes a body. */
const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/auth/register',
    body: { username: 'eve', password: 'correct horse', ...profile },
    required: ['username', 'password'],
    nullable: ['name', 'email', 'timezone', 'language'],
  },
  { method: 'POST', path: '/api/auth/login', body: { username: 'ada', password: 'correct horse' }, required: ['username', 'password'] },
  { method: 'PATCH', path: '/api/auth/me', body: profile, required: [], nullable: ['name', 'email', 'timezone', 'language'] },
  { method: 'PUT', path: '/api/auth/username', body: { username: 'lovelace' }, required: ['username'] },
  {
    method: 'PUT',
    path: '/api/auth/password',
    body: { current_password: 'correct horse', new_password: 'battery staple' },
    required: ['current_password', 'new_password'],
  },
  { method: 'POST', path: '/api/auth/confirm', body: { password: 'battery staple' }, required: ['password'] },
  { method: 'POST', path: '/api/auth/tokens', body: { name: 'script', expires_in_days: 3, scopes: ['read'] }, required: ['name'] },
  {
    method: 'POST',
    path: '/api/admin/users',
    body: { username: 'eve', password: 'correct horse', role: 'user', ...profile },
    required: ['username', 'password'],
    nullable: ['name', 'email', 'timezone', 'language'],
  },
  { method: 'PATCH', path: '/api/admin/users/{own}', body: { role: 'admin', disabled: false, password: 'battery staple' }, required: [] },
]

const wrongTypes: readonly JsonValue[] = [true, 7, 1e300, [], {}, [['x']]]

/** What is sent: a text, and what is expected to be wrong with it. */
function* badBodies({ body, required, nullable = [] }: Endpoint): Generator<readonly [string, string]> {
  for (const name of required) {
    const { [name]: _missing, ...rest } = body
    yield [`without ${name}`, JSON.stringify(rest)]
  }
  for (const [name, value] of Object.entries(body)) {
    if (!nullable.includes(name)) yield [`${name} null`, JSON.stringify({ ...body, [name]: null })]
    for (const wrong of wrongTypes.filter((other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value)))
      yield [`${name} ${JSON.stringify(wrong)}`, JSON.stringify({ ...body, [name]: wrong })]
  }
  for (const name of ['admin', 'role_', 'constructor', 'id', 'disabled_'])
    yield [`with ${name}`, `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:"x"}`]
  for (const text of ['', 'null', '[]', '"x"', '7', '{', '{"a":}', '\u0000', `{"username":"\\ud800"`])
    yield [`the body ${JSON.stringify(text)}`, text]
  yield ['a body of 64 KiB and more', JSON.stringify({ ...body, padding: 'x'.repeat(65_536) })]
}

describe('bad input at the routes of accounts', () => {
  let auth: AuthUnderTest
  let server: AuthServer
  let ada: SignedInBody

  const send = async ({ method, path }: Endpoint, text: string) => {
    // The bucket of the address fills with the clock.
    await auth.clock.advance(200)
    return server.fetch(path.replace('{own}', ada.user.id), {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.access_token}` },
      body: text,
    })
  }

  before(async () => {
    auth = await openAuthUnderTest()
    server = await startAuthServer(auth, auth.routes)
    await auth.register('ada', { password: 'correct horse' })
  })
  beforeEach(async () => {
    ada = (await auth.call('login', { body: { username: 'ada', password: 'correct horse' } })).json as SignedInBody
    await auth.confirm(ada.access_token, 'correct horse')
  })
  after(async () => {
    await server.close()
    await endTestStores()
  })

  for (const endpoint of endpoints) {
    it(`${endpoint.method} ${endpoint.path} refuses it with a problem that says where, and changes nothing`, async () => {
      const before = JSON.stringify(await auth.store.stored(users))
      for (const [what, text] of badBodies(endpoint)) {
        const answer = await send(endpoint, text)
        const problem = (await answer.json()) as { readonly code?: string; readonly errors?: readonly unknown[] }
        expect(answer.status, `${what}: ${JSON.stringify(problem)}`).to.be.within(400, 422)
        expect(answer.headers.get('content-type'), what).to.equal('application/problem+json')
        if (problem.code === 'invalid_request') expect(problem.errors, what).to.be.an('array').with.length.at.least(1)
      }
      expect(JSON.stringify(await auth.store.stored(users))).to.equal(before)
    })
  }

  it('counts the last of two members with one name, for its checks and for its effect', async () => {
    const endpoint = { method: 'PATCH', path: '/api/auth/me', body: {}, required: [] }
    const answer = await send(endpoint, '{"name":7,"name":"Ada"}')
    expect([answer.status, await answer.json()]).to.have.nested.property('[1].name', 'Ada')
    expect((await send(endpoint, '{"name":"Ada","name":7}')).status).to.equal(422)
  })

  it('takes no name that looks like another one', async () => {
    const register = endpoints[0]
    if (!register) throw new Error('There is no endpoint.')
    for (const username of [
      'аda',
      'ada\u200b',
      'ａｄａ',
      'ada\u0301',
      'ad\u0430',
      'ada\u202e',
      'ada\u0000',
      'İda',
      'ada.',
      'ada@',
      '-ada',
      'a',
      'a'.repeat(33),
    ]) {
      const answer = await send(register, JSON.stringify({ username, password: 'correct horse' }))
      expect([JSON.stringify(username), answer.status]).to.deep.equal([JSON.stringify(username), 422])
    }
  })
})
