import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { ExternalConfirmationOptions, ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { expect } from 'chai'
import { externalIdentities, sessions, users } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

const issuer = 'https://login.example'
const ada: ExternalIdentity = { issuer, subject: 'ada', email: 'ada@example.org', emailVerified: true, preferredUsername: 'ada' }
const eve: ExternalIdentity = { issuer, subject: 'eve', email: 'eve@example.org', emailVerified: true, preferredUsername: 'eve' }
const address = '192.0.2.7'
const origin = { address, userAgent: 'browser', loopback: false }
const headersOf = (refreshCookie: string) => ({ cookie: refreshCookie.split(';')[0] ?? '', 'user-agent': 'browser' })

describe('confirming a session by single sign-on', () => {
  let auth: AuthUnderTest
  let token: string
  let sessionId: string
  let userId: string

  const external = () => {
    if (!auth.externalSignIn) throw new Error('Single sign-on is off.')
    return auth.externalSignIn
  }
  const signOn = async (identity: ExternalIdentity) => {
    const { refreshCookie } = await external().signIn(identity, { origin, matchEmail: true, acceptUnverifiedEmail: true })
    const { json } = await auth.call('refresh', { headers: headersOf(refreshCookie) })
    return (json as SignedInBody).access_token
  }
  const confirm = (identity = ada, more: Partial<ExternalConfirmationOptions> = {}) =>
    external().confirm(identity, {
      asked: { sessionId, at: auth.clock.now() },
      origin: { address, sessionId },
      signedOnAt: auth.clock.now(),
      ...more,
    })
  const isConfirmed = async (of = token): Promise<boolean> => (await auth.principal(of)).confirmed === true
  const events = async (kind: string) =>
    ((await auth.call('listAuditEvents', { query: { kind } })).json as { readonly items: readonly { readonly details: object }[] }).items
  /** What of people, identities and sessions is stored, but for the time of confirmation. */
  const stored = async () =>
    JSON.stringify([
      await auth.store.stored(users),
      await auth.store.stored(externalIdentities),
      (await auth.store.stored(sessions)).map(({ document: { confirmed_at, ...rest } }) => rest),
    ])

  beforeEach(async () => {
    auth = await openAuthUnderTest({ signInPolicy: { singleSignOn: true, localSignIn: true } })
    await auth.register('owner')
    token = await signOn(ada)
    const principal = await auth.principal(token)
    sessionId = String(principal.sessionId)
    userId = principal.userId
  })
  afterEach(endTestStores)

  it('7.5.1 gives the session five minutes, also of an account that has no password, and no session to anybody', async () => {
    const before = await stored()
    expect(await isConfirmed()).to.equal(false)
    await confirm()
    expect(await isConfirmed()).to.equal(true)
    expect(await stored()).to.equal(before)
    expect((await events('session.confirmed')).map(({ details }) => details)).to.deep.equal([
      { session_id: sessionId, method: 'single_sign_on' },
    ])
    await auth.clock.advance(300_000)
    expect(await isConfirmed()).to.equal(false)
  })

  it('6.3.8 refuses a password of such an account in the words of a wrong one', async () => {
    const principal = await auth.principal(token)
    expect(await codeOf(auth.call('confirmSession', { principal, body: { password: '' } }))).to.equal('invalid_credentials')
    expect(await codeOf(auth.call('confirmSession', { principal, body: { password: 'owner-secret-1' } }))).to.equal('invalid_credentials')
  })

  const refusals: readonly (readonly [what: string, attempt: () => Promise<unknown>, code: string, reason: string])[] = [
    ['another person of the provider', () => signOn(eve).then(() => confirm(eve)), 'confirmation_mismatch', 'another_person'],
    ['somebody whom nobody knows', () => confirm(eve), 'confirmation_mismatch', 'another_person'],
    [
      'somebody of another provider with the same subject and verified address',
      () => confirm({ ...ada, issuer: 'https://other.example' }),
      'confirmation_mismatch',
      'another_person',
    ],
    ['a browser without a session', () => confirm(ada, { origin: { address } }), 'confirmation_mismatch', 'another_session'],
    [
      'a browser with another session, though of the same account',
      async () => confirm(ada, { origin: { address, sessionId: String((await auth.principal(await signOn(ada))).sessionId) } }),
      'confirmation_mismatch',
      'another_session',
    ],
    [
      'a provider that does not say when the person signed on',
      async () => external().confirm(ada, { asked: { sessionId, at: auth.clock.now() }, origin: { address, sessionId } }),
      'confirmation_stale',
      'not_signed_on_anew',
    ],
    [
      'a sign-on from before it was asked for',
      () => confirm(ada, { signedOnAt: auth.clock.now() - 31_000 }),
      'confirmation_stale',
      'not_signed_on_anew',
    ],
    ['a time that is none', () => confirm(ada, { signedOnAt: Number.NaN }), 'confirmation_stale', 'not_signed_on_anew'],
    [
      'a session that has ended since',
      () => auth.sessions.end(sessionId, address).then(() => confirm()),
      'confirmation_mismatch',
      'session_ended',
    ],
    [
      'an account that was disabled since',
      () => auth.administration.change(userId, { disabled: true }, noActor).then(() => confirm()),
      'confirmation_mismatch',
      'session_ended',
    ],
    [
      'a session that never was',
      () => confirm(ada, { asked: { sessionId: 'none', at: 0 }, origin: { address, sessionId: 'none' } }),
      'confirmation_mismatch',
      'session_ended',
    ],
  ]
  for (const [what, attempt, code, reason] of refusals) {
    it(`confirms nothing for ${what}, and notes it`, async () => {
      expect(await codeOf(attempt())).to.equal(code)
      expect((await auth.store.stored(sessions)).filter(({ document }) => document.confirmed_at !== null)).to.deep.equal([])
      expect((await events('session.confirmation_refused')).map(({ details }) => details)).to.have.deep.nested.property(
        '[0].reason',
        reason,
      )
      expect(await auth.store.stored(users)).to.have.length(what === 'another person of the provider' ? 3 : 2)
    })
  }

  it('takes a provider’s clock that is half a minute behind', async () => {
    await confirm(ada, { signedOnAt: auth.clock.now() - 30_000 })
    expect(await isConfirmed()).to.equal(true)
  })
})
