import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { users } from '../records/records.js'
import {
  type AuthUnderTest,
  authSettingsUnderTest,
  cheapCost,
  codeOf,
  openAuthUnderTest,
  type SignedInBody,
} from '../testing/auth-under-test.js'

describe('signing in', () => {
  let auth: AuthUnderTest
  let admin: SignedInBody

  const logIn = async (username: string, password: string): Promise<SignedInBody> =>
    (await auth.call('login', { body: { username, password } })).json as SignedInBody

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    admin = await auth.register('ada', { email: 'ada@example.org' })
  })
  afterEach(endTestStores)

  it('takes the name in any case, or the e-mail address', async () => {
    for (const username of ['ada', ' ADA', 'ada@example.org', 'Ada@Example.ORG ']) {
      expect((await logIn(username, 'ada-secret-1')).user).to.deep.equal(admin.user)
    }
  })

  it('tells that requests are about to come, while a password is hashed and when a session goes on', async () => {
    let told = 0
    auth = await openAuthUnderTest({ onSigningIn: () => told++ })
    await auth.register('ada')
    const { cookie } = await auth.call('login', { body: { username: 'ada', password: 'ada-secret-1' } })
    expect(await codeOf(logIn('ada', 'ada-secret-2'))).to.equal('invalid_credentials')
    expect(told).to.equal(3)
    expect(await codeOf(auth.call('refresh', { headers: {} }))).to.equal('unauthenticated')
    expect(told).to.equal(3)
    await auth.call('refresh', { headers: { cookie: cookie?.split(';')[0] ?? '' } })
    expect(told).to.equal(4)
  })

  it('7.2.4 makes a new session each time and leaves the others', async () => {
    const again = await logIn('ada', 'ada-secret-1')
    const [first, second] = await Promise.all([admin, again].map(({ access_token }) => auth.principal(access_token)))
    expect(first?.sessionId).to.be.a('string').and.not.equal(second?.sessionId)
  })

  for (const [what, username, password] of [
    ['a wrong password', 'ada', 'ada-secret-2'],
    ['an unknown name', 'nobody', 'ada-secret-1'],
    ['an unknown e-mail address', 'nobody@example.org', 'ada-secret-1'],
    ['an empty password', 'ada', ''],
    ['another case of the password', 'ada', 'ADA-secret-1'],
    ['an overlong password', 'ada', 'x'.repeat(5_000)],
    ['a name of nothing', '', ''],
  ] as const) {
    it(`6.3.8 refuses ${what} with invalid_credentials`, async () => {
      expect(await codeOf(logIn(username, password))).to.equal('invalid_credentials')
    })
  }

  it('6.3.8 refuses a disabled account in the same words', async () => {
    const { user } = await auth.register('bob')
    await auth.administration.change(user.id, { disabled: true }, noActor)
    expect(await codeOf(logIn('bob', 'bob-secret-1'))).to.equal('invalid_credentials')
    await auth.administration.change(user.id, { disabled: false }, noActor)
    expect((await logIn('bob', 'bob-secret-1')).user.id).to.equal(user.id)
  })

  it('makes the hash anew when the cost has risen, once, and the password still fits', async () => {
    const hashOf = async (): Promise<string> => String((await auth.store.database.collection(users).get(admin.user.id))?.password_hash)
    const before = await hashOf()
    auth = await openAuthUnderTest({ store: auth.store, passwordCost: { ...cheapCost, memoryCost: 128 } })
    expect(await codeOf(logIn('ada', 'wrong password'))).to.equal('invalid_credentials')
    expect(await hashOf()).to.equal(before)
    await logIn('ada', 'ada-secret-1')
    const after = await hashOf()
    expect(after).to.include('m=128,').and.not.equal(before)
    await logIn('ada', 'ada-secret-1')
    expect(await hashOf()).to.equal(after)
  })

  it('tells what a sign-in page needs', async () => {
    expect((await auth.call('getAuthConfiguration')).json).to.deep.equal({
      allow_registration: true,
      registration: 'open',
      local_auth: true,
      sso: { enabled: false },
      signed_in: false,
      needs_account: false,
      needs_setup: false,
      demo: false,
    })
    const fresh = await openAuthUnderTest({ isDemo: true, settings: { ...authSettingsUnderTest, allow_registration: false } })
    expect((await fresh.call('getAuthConfiguration')).json).to.include({ allow_registration: false, needs_setup: true, demo: true })
  })

  describe('administration', () => {
    it('lists accounts by name in pages and creates them with a role', async () => {
      const body = { username: 'cyd', password: 'a fine password', role: 'admin' }
      const made = await auth.call('createUser', { principal: await auth.confirm(admin.access_token), body })
      expect(made.status).to.equal(201)
      expect(made.json).to.include({ username: 'cyd', role: 'admin', disabled: false })
      await auth.register('bob')
      const first = (await auth.call('listUsers', { query: { limit: 2 } })).json as { items: { username: string }[]; next_cursor: string }
      const second = (await auth.call('listUsers', { query: { limit: 2, cursor: first.next_cursor } })).json as typeof first
      expect([...first.items, ...second.items].map(({ username }) => username)).to.deep.equal(['ada', 'bob', 'cyd'])
      expect(second.next_cursor).to.equal(null)
      expect(JSON.stringify(first)).not.to.include('hash')
    })

    it('never shuts the last admin out, also when two go at once', async () => {
      expect(await codeOf(auth.administration.change(admin.user.id, { disabled: true }, noActor))).to.equal('last_admin')
      const body = { username: 'cyd', password: 'a fine password', role: 'admin' }
      const { json } = await auth.call('createUser', { principal: await auth.confirm(admin.access_token), body })
      const cyd = (json as { readonly id: string }).id
      auth.store.pause = turnOfTheLoop
      const results = await Promise.allSettled(
        [admin.user.id, cyd].map((id) => auth.administration.change(id, { disabled: true }, noActor)),
      )
      expect(results.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    })

    it('shows features the account with its zone, and nothing of one that is disabled', async () => {
      const { user } = await auth.register('bob', { timezone: 'Asia/Tokyo' })
      expect(await auth.directory.get(user.id)).to.deep.equal({
        id: user.id,
        username: 'bob',
        handle: 'bob',
        role: 'user',
        timezone: 'Asia/Tokyo',
      })
      expect((await auth.directory.get(admin.user.id))?.timezone).to.equal('Europe/Vienna')
      await auth.administration.change(user.id, { disabled: true }, noActor)
      expect(await auth.directory.get(user.id)).to.equal(undefined)
      expect(await auth.directory.get('nobody')).to.equal(undefined)
    })
  })
})
