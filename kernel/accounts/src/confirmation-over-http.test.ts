import { setImmediate } from 'node:timers/promises'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { users } from './records/records.js'
import { type AuthUnderTest, openAuthUnderTest } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

type Call = readonly [method: string, path: string, body?: JsonObject]

const newcomer = { username: 'new', password: 'a long enough password' }

/** What could turn a borrowed session into somebody's account. */
const guarded: readonly (readonly [what: string, call: Call, status: number])[] = [
  ['one’s own address', ['PATCH', '/api/auth/me', { email: 'eve@example.org' }], 200],
  ['one’s own address, also to have none', ['PATCH', '/api/auth/me', { name: 'Ada', email: null }], 200],
  ['the role of another', ['PATCH', '/api/admin/users/{bob}', { role: 'admin' }], 200],
  ['the password of another', ['PATCH', '/api/admin/users/{bob}', { password: 'another fine sentence' }], 200],
  [
    'the password of another beside what needs nothing',
    ['PATCH', '/api/admin/users/{bob}', { disabled: true, password: 'a fine sentence' }],
    200,
  ],
  ['a new admin', ['POST', '/api/admin/users', { ...newcomer, role: 'admin' }], 201],
]

/** What a session, or a program with the scope for it, does as before. */
const open: readonly (readonly [what: string, call: Call, status: number])[] = [
  ['one’s own name', ['PATCH', '/api/auth/me', { name: 'Ada', timezone: 'Europe/London' }], 200],
  ['that another is shut out', ['PATCH', '/api/admin/users/{bob}', { disabled: true }], 200],
  ['that another may come in again', ['PATCH', '/api/admin/users/{bob}', { disabled: false }], 200],
  ['the end of an account', ['DELETE', '/api/admin/users/{bob}'], 204],
  ['a new user', ['POST', '/api/admin/users', { ...newcomer, email: 'new@example.org' }], 201],
]

describe('what a borrowed session or a token must not change', () => {
  let auth: AuthUnderTest
  let server: AuthServer
  let session: string
  let personal: string
  let bob: { readonly id: string; readonly token: string }

  const send = async ([method, path, body]: Call, token: string) => {
    const answer = await server.fetch(path.replace('{bob}', bob.id), {
      ...{ method, token },
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? {} : (JSON.parse(text) as JsonObject) }
  }
  const refusal = async (call: Call, token: string): Promise<string> => {
    const { status, json } = await send(call, token)
    return `${status} ${String(json['code'])}`
  }
  const confirm = (password: string, token = session) => send(['POST', '/api/auth/confirm', { password }], token)
  const stored = async () => JSON.stringify(await auth.store.stored(users))

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    server = await startAuthServer(auth, auth.routes)
    session = (await auth.register('ada', { email: 'ada@example.org' })).access_token
    const made = await auth.register('bob')
    bob = { id: made.user.id, token: made.access_token }
    const body = { name: 'script', scopes: ['read', 'write', 'admin', 'inference'] }
    const { json } = await auth.call('createToken', { principal: await auth.principal(session), body })
    personal = (json as { readonly token: string }).token
  })
  afterEach(async () => {
    await server.close()
    expect(server.answerCheck.violations).to.deep.equal([])
    await endTestStores()
  })

  for (const [what, call, status] of guarded) {
    it(`7.5.1 7.5.3 is ${what}: a confirmed session alone does`, async () => {
      const before = await stored()
      expect(await refusal(call, personal), 'a token').to.equal('403 session_required')
      expect(await refusal(call, session), 'a session').to.equal('403 confirmation_required')
      expect(await stored()).to.equal(before)
      expect((await confirm('ada-secret-1')).status).to.equal(200)
      expect(await refusal(call, personal), 'a token of who has confirmed').to.equal('403 session_required')
      expect((await send(call, session)).status).to.equal(status)
    })
  }

  for (const [what, call, status] of open) {
    it(`is not ${what}`, async () => {
      expect((await send(call, session)).status).to.equal(status)
    })
  }

  it('leaves what shuts somebody out and makes users to programs of admins', async () => {
    for (const [, call, status] of open.slice(1)) expect((await send(call, personal)).status).to.equal(status)
  })

  it('7.5.1 takes the present password as the proof that a change of it needs', async () => {
    const change = (current: string): Call => ['PUT', '/api/auth/password', { current_password: current, new_password: 'a better secret' }]
    expect(await refusal(change('ada-secret-1'), personal)).to.equal('403 session_required')
    await confirm('ada-secret-1')
    expect(await refusal(change('wrong-secret'), session), 'confirmed, with a wrong one').to.equal('422 invalid_request')
    expect((await send(change('ada-secret-1'), session)).status).to.equal(204)
  })

  it('gives who is no admin nothing by a confirmation', async () => {
    await confirm('bob-secret-1', bob.token)
    for (const [, call] of guarded.slice(2)) expect(await refusal(call, bob.token)).to.equal('403 forbidden')
  })

  it('is over after five minutes', async () => {
    await confirm('ada-secret-1')
    await auth.clock.advance(300_000)
    for (const [, call] of guarded) {
      // The bucket of the address fills with the clock.
      await auth.clock.advance(200)
      expect(await refusal(call, session)).to.equal('403 confirmation_required')
    }
  })

  it('answers a confirmation with its end, and refuses one without a session', async () => {
    const { status, json } = await confirm('ada-secret-1')
    expect([status, json]).to.deep.equal([200, { confirmed_until: new Date(auth.clock.now() + 300_000).toISOString() }])
    expect(await refusal(['POST', '/api/auth/confirm', { password: 'wrong-secret' }], session)).to.equal('401 invalid_credentials')
    expect(await refusal(['POST', '/api/auth/confirm', { password: 'ada-secret-1' }], personal)).to.equal('403 session_required')
    expect((await server.fetch('/api/auth/confirm', { method: 'POST' })).status).to.equal(401)
  })

  it('is not confirmed from a page of another site, which the cookie goes along with', async () => {
    const { cookie } = await auth.call('login', { body: { username: 'ada', password: 'ada-secret-1' } })
    const answer = await server.fetch('/api/auth/confirm', {
      method: 'POST',
      headers: { cookie: cookie?.split(';')[0] ?? '', origin: 'https://evil.example', 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'ada-secret-1' }),
    })
    expect([answer.status, ((await answer.json()) as JsonObject)['code']]).to.deep.equal([403, 'cross_site_request'])
  })

  it('counts against the limit of account routes', async () => {
    let left = 15
    const answers = Array.from({ length: left }, () => confirm('ada-secret-1').finally(() => (left -= 1)))
    const refused = answers.map(async (answer) => ((await answer).status === 429 ? 429 : Promise.reject(new Error('It was answered.'))))
    expect(await Promise.any(refused)).to.equal(429)
    // Attempts that came before the first one had succeeded wait for their turn.
    while (left > 0) {
      await auth.clock.advance(60_000)
      await setImmediate()
    }
    await Promise.all(answers)
  })
})
