import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

describe('changing the own account', () => {
  let auth: AuthUnderTest
  let ada: SignedInBody
  let principal: Principal

  const logIn = async (username: string, password: string): Promise<SignedInBody> =>
    (await auth.call('login', { body: { username, password } })).json as SignedInBody
  const rename = async (username: string, by = principal) => (await auth.call('changeUsername', { principal: by, body: { username } })).json
  const change = async (body: Readonly<Record<string, unknown>>) => (await auth.call('changeOwnProfile', { principal, body })).json
  const changePassword = (current: string, next: string) =>
    auth.call('changePassword', { principal, body: { current_password: current, new_password: next } })

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    ada = await auth.register('ada', { email: 'ada@example.org' })
    principal = await auth.confirm(ada.access_token)
  })
  afterEach(endTestStores)

  it('gives another name at once, and keeps the handle', async () => {
    expect(await rename(' Lovelace ')).to.include({ username: 'lovelace', handle: 'ada' })
    expect((await auth.principal(ada.access_token)).username).to.equal('lovelace')
    expect((await logIn('lovelace', 'ada-secret-1')).user.id).to.equal(ada.user.id)
    expect(await codeOf(logIn('ada', 'ada-secret-1'))).to.equal('invalid_credentials')
  })

  it('keeps the first name for its owner alone, and frees the ones between', async () => {
    await rename('countess')
    await rename('lovelace')
    expect(await codeOf(auth.register('ada'))).to.equal('username_taken')
    expect(await codeOf(auth.register('lovelace'))).to.equal('username_taken')
    expect((await auth.register('countess')).user['handle']).to.equal('countess')
    expect(await rename('ada')).to.include({ username: 'ada' })
  })

  it('refuses a name or handle of somebody else, and what is no name', async () => {
    const bob = await auth.register('bob')
    await rename('robert', await auth.principal(bob.access_token))
    expect(await codeOf(rename('bob'))).to.equal('username_taken')
    expect(await codeOf(rename('robert'))).to.equal('username_taken')
    expect(await codeOf(rename('1x'))).to.equal('invalid_request')
  })

  it('gives one of two who want a name at the same time', async () => {
    const bob = await auth.principal((await auth.register('bob')).access_token)
    auth.store.pause = turnOfTheLoop
    const outcomes = await Promise.allSettled([rename('prize'), rename('prize', bob)])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
  })

  it('changes what is given, keeps what is not, and clears with null', async () => {
    expect(await change({ name: ' Ada L. ', timezone: 'Europe/London' })).to.include({
      name: 'Ada L.',
      timezone: 'Europe/London',
      email: 'ada@example.org',
    })
    expect(await change({ email: null })).to.include({ email: null, name: 'Ada L.' })
    expect(await change({})).to.include({ name: 'Ada L.', timezone: 'Europe/London' })
    expect(await codeOf(change({ timezone: 'Mars/Olympus' }))).to.equal('invalid_request')
    expect(await change({ language: ' pt-br ' })).to.include({ language: 'pt-BR', timezone: 'Europe/London' })
    expect(await codeOf(change({ language: 'german please' }))).to.equal('invalid_request')
    expect(await codeOf(change({ email: 'nobody' }))).to.equal('invalid_request')
  })

  it('refuses an e-mail address that somebody else has, in any case', async () => {
    await auth.register('bob', { email: 'bob@example.org' })
    expect(await codeOf(change({ email: 'BOB@example.org' }))).to.equal('email_taken')
    expect(await change({ email: 'ADA@example.org' })).to.include({ email: 'ada@example.org' })
  })

  it('6.2.2 7.4.3 changes the password: other sessions end at once with their streams, this one stays', async () => {
    const elsewhere = await logIn('ada', 'ada-secret-1')
    const other = await auth.authenticator.authenticate({ bearer: elsewhere.access_token, cookies: {} })
    const own = await auth.authenticator.authenticate({ bearer: ada.access_token, cookies: {} })
    expect((await changePassword('ada-secret-1', 'a better secret')).status).to.equal(204)
    expect([other?.ended.aborted, own?.ended.aborted]).to.deep.equal([true, false])
    expect(await codeOf(auth.principal(elsewhere.access_token))).to.equal('unauthenticated')
    expect((await auth.principal(ada.access_token)).username).to.equal('ada')
    expect(await codeOf(logIn('ada', 'ada-secret-1'))).to.equal('invalid_credentials')
    expect((await logIn('ada', 'a better secret')).user.id).to.equal(ada.user.id)
  })

  for (const [what, current, next, code] of [
    ['a wrong present password', 'wrong-secret', 'a better secret', 'invalid_request'],
    ['a new one that is too short', 'ada-secret-1', 'short', 'invalid_request'],
    ['a new one that everybody tries first', 'ada-secret-1', 'qwertyuiop', 'password_too_common'],
  ] as const) {
    it(`6.2.3 6.2.4 refuses ${what} and changes nothing`, async () => {
      const elsewhere = await logIn('ada', 'ada-secret-1')
      expect(await codeOf(changePassword(current, next))).to.equal(code)
      expect((await auth.principal(elsewhere.access_token)).username).to.equal('ada')
    })
  }

  it('6.3.1 lets who has only the session guess no faster than at a sign-in, and forgets that with the right password', async () => {
    const guess = () => codeOf(changePassword('wrong-secret', 'a better secret'))
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await guess()).to.equal('invalid_request')
    let answered = false
    const slowed = guess().finally(() => {
      answered = true
    })
    await auth.clock.advance(900)
    expect(answered).to.equal(false)
    // A hash is made beside the loop, so the wait may begin late.
    while (!answered) {
      await turnOfTheLoop()
      await auth.clock.advance(1_000)
    }
    expect(await slowed).to.equal('invalid_request')
    await auth.clock.advance(60_000)
    let changed: number | undefined
    const right = changePassword('ada-secret-1', 'a better secret').then(({ status }) => {
      changed = status
    })
    while (changed === undefined) {
      await turnOfTheLoop()
      await auth.clock.advance(1_000)
    }
    await right
    expect(changed).to.equal(204)
    expect((await changePassword('a better secret', 'another fine sentence')).status).to.equal(204)
  })

  it('7.4.3 lets no sign-in through that proved the old password while it was changed', async () => {
    auth.store.pause = turnOfTheLoop
    const [signedIn] = await Promise.allSettled([logIn('ada', 'ada-secret-1'), changePassword('ada-secret-1', 'a better secret')])
    if (signedIn.status === 'fulfilled') expect(await codeOf(auth.principal(signedIn.value.access_token))).to.equal('unauthenticated')
    expect(await codeOf(logIn('ada', 'ada-secret-1'))).to.equal('invalid_credentials')
  })

  it('does not bring ended sessions back when an account is enabled again', async () => {
    const bob = await auth.register('bob')
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    await auth.administration.change(bob.user.id, { disabled: false }, noActor)
    expect(await codeOf(auth.principal(bob.access_token))).to.equal('unauthenticated')
  })

  describe('sessions', () => {
    const list = async () =>
      ((await auth.call('listSessions', { principal })).json as { readonly items: readonly Readonly<Record<string, unknown>>[] }).items

    it('7.5.2 are listed with where they came from, the caller’s own marked', async () => {
      await auth.clock.advance(1)
      await auth.call('login', {
        body: { username: 'ada', password: 'ada-secret-1' },
        address: '198.51.100.9',
        headers: { 'user-agent': 'telephone' },
      })
      const items = await list()
      expect(items.map(({ address, user_agent, current }) => [address, user_agent, current])).to.deep.equal([
        ['198.51.100.9', 'telephone', false],
        ['192.0.2.7', '', true],
      ])
    })

    it('7.5.2 can be ended one by one, and are then no longer listed', async () => {
      const elsewhere = await logIn('ada', 'ada-secret-1')
      const id = String((await auth.principal(elsewhere.access_token)).sessionId)
      expect((await auth.call('endSession', { principal, params: { session_id: id } })).status).to.equal(204)
      expect(await codeOf(auth.principal(elsewhere.access_token))).to.equal('unauthenticated')
      expect((await list()).map((item) => item['id'])).to.deep.equal([principal.sessionId])
      expect(await codeOf(auth.call('endSession', { principal, params: { session_id: id } }))).to.equal('not_found')
    })

    it('of others cannot be seen or ended', async () => {
      const bob = await auth.register('bob')
      const id = String((await auth.principal(bob.access_token)).sessionId)
      expect(await codeOf(auth.call('endSession', { principal, params: { session_id: id } }))).to.equal('not_found')
      expect((await list()).map((item) => item['id'])).to.not.include(id)
      expect((await auth.principal(bob.access_token)).username).to.equal('bob')
    })
  })
})
