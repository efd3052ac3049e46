import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { ExternalIdentity, ExternalSignInOptions } from '@agent-service/sdk/services/external-sign-in'
import { expect } from 'chai'
import { externalIdentities, users } from '../records/records.js'
import { type AuthUnderTest, authSettingsUnderTest, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

const issuer = 'https://login.example'
const ada: ExternalIdentity = {
  issuer,
  subject: 'subject-ada',
  email: 'Ada@Example.org',
  emailVerified: true,
  name: 'Ada',
  preferredUsername: 'ada',
}
const origin = { address: '192.0.2.7', userAgent: 'browser', loopback: false }
const singleSignOn = { singleSignOn: true, localSignIn: true }

describe('signing in whom an identity provider has proven', () => {
  let auth: AuthUnderTest

  const signIn = (identity: ExternalIdentity, more: Partial<ExternalSignInOptions> = {}) => {
    if (!auth.externalSignIn) throw new Error('Single sign-on is off.')
    return auth.externalSignIn.signIn(identity, { origin, matchEmail: true, acceptUnverifiedEmail: true, ...more })
  }
  const tokenIn = (cookie: string): string => /^refresh_token=([^;]+)/.exec(cookie)?.[1] ?? ''
  const isUsable = async (cookie: string): Promise<boolean> =>
    auth.call('refresh', { headers: { cookie: `refresh_token=${tokenIn(cookie)}`, 'user-agent': 'browser' } }).then(
      () => true,
      () => false,
    )
  const kinds = async (): Promise<readonly string[]> => {
    const { json } = await auth.call('listAuditEvents', { query: { limit: 200 } })
    return (json as { readonly items: readonly { readonly kind: string }[] }).items.map(({ kind }) => kind)
  }

  beforeEach(async () => {
    auth = await openAuthUnderTest({ signInPolicy: singleSignOn })
  })
  afterEach(endTestStores)

  it('makes the first account an admin, from this machine or with the set-up code, and begins a session', async () => {
    expect(await codeOf(signIn(ada))).to.equal('setup_code_required')
    expect(await codeOf(signIn(ada, { setupCode: 'guessed' }))).to.equal('setup_code_required')
    const { userId, refreshCookie } = await signIn(ada, { setupCode: String(await auth.pendingSetupCode()) })
    expect(await auth.accounts.get(userId)).to.deep.include({
      ...{ username: 'ada', handle: 'ada', email: 'ada@example.org', name: 'Ada', role: 'admin', password_hash: null },
    })
    expect(await isUsable(refreshCookie)).to.equal(true)
    expect(await kinds()).to.include.members(['account.created', 'sign_in.succeeded', 'sign_in.failed'])
  })

  it('makes only one of two that are first at once the admin', async () => {
    const both = await Promise.all(
      ['one', 'two'].map((subject) => signIn({ issuer, subject, preferredUsername: 'same' }, { origin: { ...origin, loopback: true } })),
    )
    const found = await Promise.all(both.map(({ userId }) => auth.accounts.get(userId)))
    expect(found.map((user) => user?.role).sort()).to.deep.equal(['admin', 'user'])
    expect(found.map((user) => user?.username).sort()).to.deep.equal(['same', 'same-2'])
  })

  it('makes one account of one person who comes twice at once', async () => {
    await auth.register('owner')
    const both = await Promise.all([signIn(ada), signIn(ada)])
    expect(both[0]?.userId).to.equal(both[1]?.userId)
  })

  it('knows a person again by issuer and subject, whatever their address has become', async () => {
    await auth.register('owner')
    const { userId } = await signIn(ada)
    const again = await signIn({ ...ada, email: 'new@example.org', emailVerified: false, preferredUsername: 'countess' })
    expect(again.userId).to.equal(userId)
    expect(await auth.accounts.get(userId)).to.include({ username: 'ada', email: 'ada@example.org' })
    const other = await signIn({ ...ada, issuer: 'https://other.example', email: 'x@example.org' })
    expect(other.userId).to.not.equal(userId)
  })

  it('takes no name that anybody has or had', async () => {
    const owner = await auth.register('ada')
    await auth.changes.rename(owner.user.id, 'lovelace', '192.0.2.7')
    const { userId } = await signIn({ issuer, subject: '1', preferredUsername: 'ada' })
    const other = await signIn({ issuer, subject: '2', preferredUsername: 'lovelace' })
    expect([(await auth.accounts.get(userId))?.username, (await auth.accounts.get(other.userId))?.username]).to.deep.equal([
      'ada-2',
      'lovelace-2',
    ])
  })

  it('ends password, sessions and tokens of the account that it links by an address that was typed', async () => {
    await auth.register('owner')
    const typed = await auth.register('eve', { email: 'ada@example.org' })
    const principal = await auth.principal(typed.access_token)
    const { json } = await auth.call('createToken', { principal, body: { name: 'waiting' } })
    const { token } = json as { readonly token: string }
    const asRequested = await auth.accounts.get(typed.user.id)
    const { userId } = await signIn(ada)
    if (!asRequested) throw new Error('There is no account.')
    expect(await codeOf(auth.personalTokens.create(asRequested, { name: 'late' }, '192.0.2.7'))).to.equal('unauthenticated')
    expect(userId).to.equal(typed.user.id)
    expect(await codeOf(auth.principal(typed.access_token))).to.equal('unauthenticated')
    expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
    expect(await codeOf(auth.call('login', { body: { username: 'eve', password: 'eve-secret-1' } }))).to.equal('invalid_credentials')
    expect(await kinds()).to.include('identity.linked')
  })

  it('leaves the sessions of an account whose address another provider has verified', async () => {
    await auth.register('owner')
    const before = await signIn({ ...ada, issuer: 'https://former.example' })
    const { userId } = await signIn(ada)
    expect([userId, await isUsable(before.refreshCookie)]).to.deep.equal([before.userId, true])
  })

  it('gives the address of one person to no other person of the provider', async () => {
    await auth.register('owner')
    await signIn(ada)
    expect(await codeOf(signIn({ ...ada, subject: 'successor' }))).to.equal('email_taken')
  })

  it('gives an address to the person who has proven it, where another person of the provider has typed it', async () => {
    await auth.register('owner')
    const eve = await signIn({ issuer, subject: 'eve', preferredUsername: 'eve' })
    await auth.changes.changeProfile(eve.userId, { email: 'ada@example.org' }, '192.0.2.7')
    const { userId } = await signIn(ada)
    expect([(await auth.accounts.get(userId))?.email, (await auth.accounts.get(eve.userId))?.email]).to.deep.equal([
      'ada@example.org',
      null,
    ])
    expect(await auth.accounts.get(userId)).to.include({ username: 'ada', role: 'user' })
    expect(await kinds()).to.include('email.changed')
  })

  it('gives a disabled account nothing, known or matched, and ends what it has', async () => {
    await auth.register('owner')
    const { userId, refreshCookie } = await signIn(ada)
    await auth.administration.change(userId, { disabled: true }, { userId: null, address: null })
    expect(await codeOf(signIn(ada))).to.equal('account_disabled')
    expect(await isUsable(refreshCookie)).to.equal(false)
    const bob = await auth.register('bob', { email: 'bob@example.org' })
    await auth.administration.change(bob.user.id, { disabled: true }, { userId: null, address: null })
    expect(await codeOf(signIn({ issuer, subject: 'bob', email: 'bob@example.org', emailVerified: true }))).to.equal('account_disabled')
  })

  it('makes no account while registration is closed, and tells nobody which there are', async () => {
    const { store } = auth
    await auth.register('owner', { email: 'owner@example.org' })
    auth = await openAuthUnderTest({ store, signInPolicy: singleSignOn, settings: { ...authSettingsUnderTest, allow_registration: false } })
    const count = (await store.stored(users)).length
    expect(await codeOf(signIn(ada))).to.equal('registration_closed')
    expect(await codeOf(signIn({ ...ada, email: 'owner@example.org', emailVerified: false }))).to.equal('registration_closed')
    expect([(await store.stored(users)).length, await store.stored(externalIdentities)]).to.deep.equal([count, []])
  })

  it('ends the session that the browser had before', async () => {
    const owner = await auth.register('owner')
    const { sessionId } = await auth.principal(owner.access_token)
    await signIn(ada, { origin: { ...origin, earlierSessionId: String(sessionId) } })
    expect(await codeOf(auth.principal(owner.access_token))).to.equal('unauthenticated')
  })

  it('keeps nothing that is no identity, address or name', async () => {
    await auth.register('owner')
    for (const subject of ['', 'x'.repeat(256), 'a\u0000b', '\ud800'])
      expect([subject, await codeOf(signIn({ issuer, subject }))]).to.deep.equal([subject, 'identity_unusable'])
    const { userId } = await signIn({
      issuer,
      subject: 's',
      email: 'no address',
      emailVerified: true,
      name: 'a\u0007b',
      preferredUsername: 'sue',
    })
    expect(await auth.accounts.get(userId)).to.include({ email: null, name: null, username: 'sue' })
  })

  it('erases and exports identities with the account, and lets the person come again as somebody new', async () => {
    await auth.register('owner')
    const { userId } = await signIn(ada)
    const [data] = auth.userData
    if (!data) throw new Error('There is no data of users.')
    const { signal } = new AbortController()
    const paths: string[] = []
    for await (const { path } of data.export(userId, { signal })) paths.push(path.split('/')[0] ?? '')
    expect(paths).to.include('external-identities')
    await auth.administration.delete(userId, { userId: null, address: null })
    const again = await signIn(ada)
    expect(again.userId).to.not.equal(userId)
    await data.erase(userId, { signal })
    expect((await auth.store.stored(externalIdentities)).length).to.equal(1)
    await data.erase(again.userId, { signal })
    expect(await auth.store.stored(externalIdentities)).to.deep.equal([])
  })
})
