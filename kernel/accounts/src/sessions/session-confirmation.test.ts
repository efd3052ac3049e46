import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { sessions } from '../records/records.js'
import { type AuthUnderTest, authSettingsUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

const password = 'ada-secret-1'
const browser = { 'user-agent': 'browser' }

describe('confirming a session', () => {
  let auth: AuthUnderTest
  let token: string
  let cookie: string

  const logIn = async () => {
    const { json, cookie: set } = await auth.call('login', { body: { username: 'ada', password }, headers: browser })
    return { token: (json as SignedInBody).access_token, cookie: set?.split(';')[0] ?? '' }
  }
  const confirm = async (given: string, by?: Principal) =>
    auth.call('confirmSession', { principal: by ?? (await auth.principal(token)), body: { password: given } })
  const isConfirmed = async (of = token): Promise<boolean> => (await auth.principal(of)).confirmed === true
  const refresh = async (with_: string) => {
    const { json, cookie: set } = await auth.call('refresh', { headers: { ...browser, cookie: with_ } })
    return { token: (json as SignedInBody).access_token, cookie: set?.split(';')[0] ?? '' }
  }
  const events = async (kind: string) =>
    (
      (await auth.call('listAuditEvents', { query: { kind } })).json as {
        readonly items: readonly {
          readonly actor_id: string
          readonly subject_id: string
          readonly address: string
          readonly details: object
        }[]
      }
    ).items

  beforeEach(async () => {
    auth = await openAuthUnderTest({ settings: { ...authSettingsUnderTest, access_token_expiry_secs: 3_600 } })
    await auth.register('ada')
    ;({ token, cookie } = await logIn())
  })
  afterEach(endTestStores)

  it('7.5.1 lasts five minutes, and says until when', async () => {
    const { status, json } = await confirm(password)
    expect([status, json]).to.deep.equal([200, { confirmed_until: new Date(auth.clock.now() + 300_000).toISOString() }])
    expect(await isConfirmed()).to.equal(true)
    await auth.clock.advance(299_999)
    expect(await isConfirmed()).to.equal(true)
    await auth.clock.advance(1)
    expect(await isConfirmed()).to.equal(false)
    await confirm(password)
    expect(await isConfirmed()).to.equal(true)
  })

  it('is no part of signing up, signing in or refreshing', async () => {
    const registered = await auth.register('bob')
    expect([await isConfirmed(registered.access_token), await isConfirmed()]).to.deep.equal([false, false])
    expect(await isConfirmed((await refresh(cookie)).token)).to.equal(false)
  })

  it('holds for the session that asked alone, by its access tokens and its cookie, over refreshes and what replays them', async () => {
    const elsewhere = await logIn()
    await confirm(password)
    expect(await isConfirmed(elsewhere.token)).to.equal(false)
    const next = await refresh(cookie)
    const again = await refresh(cookie)
    expect(again.cookie).to.equal(next.cookie)
    for (const each of [token, next.token, again.token]) expect(await isConfirmed(each)).to.equal(true)
    const byCookie = await auth.authenticator.authenticate({ cookies: { refresh_token: next.cookie.split('=')[1] ?? '' } })
    expect(byCookie?.principal.confirmed).to.equal(true)
    await auth.clock.advance(300_000)
    expect(await isConfirmed((await refresh(next.cookie)).token)).to.equal(false)
  })

  it('is neither lost nor undoes a refresh when both happen at once', async () => {
    const principal = await auth.principal(token)
    auth.store.pause = turnOfTheLoop
    const [confirmed, next] = await Promise.all([confirm(password, principal), refresh(cookie)])
    expect([confirmed.status, await isConfirmed(next.token)]).to.deep.equal([200, true])
    expect(await isConfirmed((await refresh(next.cookie)).token)).to.equal(true)
  })

  it('outlives a change of one’s own password or address, and not the session', async () => {
    await confirm(password)
    const principal = await auth.principal(token)
    await auth.call('changePassword', { principal, body: { current_password: password, new_password: 'a better secret' } })
    await auth.call('changeOwnProfile', { principal, body: { email: 'ada@example.org' } })
    expect(await isConfirmed()).to.equal(true)
    await auth.call('logout', { principal, headers: { cookie } })
    expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
    expect(await codeOf(confirm('a better secret', principal))).to.equal('unauthenticated')
  })

  for (const [what, end] of [
    ['another password from an admin', (id: string) => auth.administration.change(id, { password: 'given by an admin' }, noActor)],
    [
      'a change of the password on another device',
      async () => {
        const principal = await auth.principal((await logIn()).token)
        await auth.call('changePassword', { principal, body: { current_password: password, new_password: 'a better secret' } })
      },
    ],
  ] as const) {
    it(`ends with its session by ${what}`, async () => {
      await confirm(password)
      const principal = await auth.principal(token)
      await end(principal.userId)
      expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
      expect(await codeOf(confirm('a better secret', principal))).to.be.oneOf(['unauthenticated', 'invalid_credentials'])
    })
  }

  it('is of no token that a confirmed session makes, for programs or for agents', async () => {
    await confirm(password)
    const principal = await auth.principal(token)
    const made = await auth.call('createToken', { principal, body: { name: 'script', scopes: ['read', 'write', 'admin'] } })
    const personal = await auth.principal((made.json as { readonly token: string }).token)
    const actor = { kind: 'agent', id: 'one', purpose: 'sandbox' } as const
    const acting = await auth.principal((await auth.ephemeralTokens.issue({ userId: principal.userId, actor })).token)
    for (const each of [personal, acting]) {
      expect(each).to.not.have.property('confirmed')
      expect(await codeOf(confirm(password, each))).to.equal('session_required')
    }
  })

  it('is refused for a wrong password, noted with where it came from, and changes nothing', async () => {
    const principal = await auth.principal(token)
    expect(await codeOf(confirm('wrong-secret'))).to.equal('invalid_credentials')
    expect(await isConfirmed()).to.equal(false)
    await confirm(password)
    const { userId, sessionId } = principal
    const about = { actor_id: userId, subject_id: userId, address: '192.0.2.7' }
    const details = { session_id: sessionId, method: 'password' }
    const [refused] = await events('session.confirmation_refused')
    expect(refused).to.deep.include({ ...about, details: { ...details, reason: 'wrong_password' } })
    const [confirmed] = await events('session.confirmed')
    expect(confirmed).to.deep.include({ ...about, details })
    expect(JSON.stringify([auth.log.lines, refused, confirmed])).to.not.match(/wrong-secret|ada-secret/)
  })

  it('proves nothing by a password where local sign-in is off', async () => {
    const closed = await openAuthUnderTest({ store: auth.store, signInPolicy: { singleSignOn: true, localSignIn: false } })
    const principal = await closed.principal(token)
    expect(await codeOf(closed.call('confirmSession', { principal, body: { password } }))).to.equal('local_auth_disabled')
    expect(await isConfirmed()).to.equal(false)
  })

  it('6.3.1 lets who has only the session guess no faster than at a sign-in, in one line with changing the password', async () => {
    const principal = await auth.principal(token)
    const guess = () => codeOf(confirm('wrong-secret', principal))
    const change = () =>
      codeOf(auth.call('changePassword', { principal, body: { current_password: 'wrong-secret', new_password: 'a better secret' } }))
    expect([await guess(), await change(), await guess(), await change(), await guess()]).to.deep.equal([
      ...['invalid_credentials', 'invalid_request', 'invalid_credentials', 'invalid_request', 'invalid_credentials'],
    ])
    for (const [attempt, waits] of [
      [guess, 1_000],
      [change, 2_000],
      [guess, 4_000],
    ] as const) {
      const startedAt = auth.clock.now()
      let answered = false
      const slowed = attempt().finally(() => {
        answered = true
      })
      // A hash is made beside the loop, so the wait may begin late.
      while (!answered) {
        await turnOfTheLoop()
        if (auth.clock.pending() > 0) await auth.clock.advance(500)
      }
      await slowed
      expect(auth.clock.now() - startedAt).to.equal(waits)
    }
    const push = AbortSignal.abort(new Error('gone'))
    const outcomes: string[] = []
    for (let count = 0; count < 10; count += 1)
      outcomes.push(
        await auth.call('confirmSession', { principal, body: { password }, signal: push }).then(
          () => 'confirmed',
          (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
        ),
      )
    expect(outcomes).to.include('rate_limited').and.not.include('confirmed')
    expect(await isConfirmed()).to.equal(false)
  })

  it('does not hold up the owner because strangers guess at the name', async () => {
    const principal = await auth.principal(token)
    const stranger = { body: { username: 'ada', password: 'x' }, address: '203.0.113.66', signal: AbortSignal.abort(new Error('gone')) }
    for (let count = 0; count < 30; count += 1) await auth.call('login', stranger).catch(() => undefined)
    expect((await confirm(password, principal)).status).to.equal(200)
  })

  it('counts for no password that was replaced while it was checked', async () => {
    const principal = await auth.principal(token)
    auth.store.pause = turnOfTheLoop
    const body = { current_password: password, new_password: 'a better secret' }
    const [confirmed, changed] = await Promise.allSettled([confirm(password, principal), auth.call('changePassword', { principal, body })])
    expect(changed.status).to.equal('fulfilled')
    if (confirmed.status === 'rejected') expect((confirmed.reason as { readonly code: string }).code).to.equal('invalid_credentials')
    expect(await codeOf(confirm(password, principal))).to.equal('invalid_credentials')
  })

  it('ends where the clock is set back far, and does not where it differs a little', async () => {
    await confirm(password)
    const confirmedAt = auth.clock.now()
    auth.clock.setNow(confirmedAt - 1_000)
    expect(await isConfirmed()).to.equal(true)
    const session = (await auth.store.stored(sessions)).find(({ document }) => document.confirmed_at !== null)?.document
    if (!session) throw new Error('No session is confirmed.')
    await auth.store.database.collection(sessions).put({ ...session, confirmed_at: new Date(auth.clock.now() + 300_001).toISOString() })
    expect(await isConfirmed()).to.equal(false)
  })

  it('is not there for sessions of an earlier release', () => {
    const migration = sessions.migrations?.find(({ to }) => to === 3)
    expect(migration?.migrate({ id: 'one', user_id: 'ada' })).to.deep.equal({ id: 'one', user_id: 'ada', confirmed_at: null })
  })
})
