import { readFile } from 'node:fs/promises'
import { endTestStores, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { authCollections, userNames, users } from '../records/records.js'
import { type AuthUnderTest, authSettingsUnderTest, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

describe('registration', () => {
  let auth: AuthUnderTest

  beforeEach(async () => {
    auth = await openAuthUnderTest()
  })
  afterEach(endTestStores)

  it('makes the first account an admin, the next one a user, and signs both in', async () => {
    const first = await auth.register('Ada', { email: 'Ada@Example.org', name: ' Ada L. ', timezone: 'Europe/London', language: 'DE-at' })
    const { id, created_at, updated_at, ...profile } = first.user
    expect(profile).to.deep.equal({
      username: 'ada',
      handle: 'ada',
      email: 'ada@example.org',
      email_verified: false,
      name: 'Ada L.',
      role: 'admin',
      timezone: 'Europe/London',
      language: 'de-AT',
    })
    expect(created_at).to.equal('2026-01-01T00:00:00.000Z')
    expect(updated_at).to.equal(created_at)
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(first).to.include({ token_type: 'Bearer', expires_in: 900 })
    const second = await auth.register('bob')
    expect(second.user).to.include({ role: 'user', email: null, name: null, timezone: null, language: null })
    expect(await auth.principal(first.access_token)).to.include({ userId: id, username: 'ada', handle: 'ada', role: 'admin' })
    expect((await auth.call('getOwnProfile', { principal: await auth.principal(second.access_token) })).json).to.deep.equal(second.user)
  })

  it('lets exactly one of many become the first', async () => {
    auth.store.pause = turnOfTheLoop
    const all = await Promise.all(['ada', 'bob', 'cyd', 'dee', 'eve'].map((name) => auth.register(name)))
    expect(all.filter(({ user }) => user['role'] === 'admin')).to.have.length(1)
  })

  it('opens the first account to this machine and to who has the printed code, and to nobody else', async () => {
    const body = { username: 'ada', password: 'correct horse' }
    expect(await codeOf(auth.call('register', { body }))).to.equal('setup_code_required')
    expect(await codeOf(auth.call('register', { body: { ...body, setup_code: 'abcde-fghjk-mnpqr-stuvw' } }))).to.equal(
      'setup_code_required',
    )
    const code = await auth.pendingSetupCode()
    expect(code).to.match(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    const { status } = await auth.call('register', { body: { ...body, setup_code: ` ${String(code).toUpperCase()}` } })
    expect(status).to.equal(201)
    expect(await auth.pendingSetupCode()).to.equal(undefined)
  })

  it('does not create an account for an admin whom the policies forbid createUser', async () => {
    const asked: string[] = []
    let allowed = true
    auth = await openAuthUnderTest({
      settings: { ...authSettingsUnderTest, allow_registration: false },
      policies: {
        async isAuthorized({ principal, action, resource }) {
          asked.push([principal.type, principal.id, action, resource.type, resource.id].join(' '))
          return { allowed }
        },
      },
    })
    const { user, access_token: token } = await auth.register('ada')
    expect(asked, 'nobody is asked about who comes without an admin').to.deep.equal([])
    const principal = await auth.principal(token)
    allowed = false
    const body = { username: 'bob', password: 'correct horse' }
    expect(await codeOf(auth.call('register', { body, principal }))).to.equal('registration_closed')
    expect(asked).to.deep.equal([`User ${user.id} call Route createUser`])
    allowed = true
    expect((await auth.call('register', { body, principal })).status).to.equal(201)
  })

  it('lets the first account in although registration is closed, then only admins create accounts', async () => {
    auth = await openAuthUnderTest({ settings: { ...authSettingsUnderTest, allow_registration: false } })
    const admin = await auth.register('ada')
    const body = { username: 'bob', password: 'correct horse' }
    expect(await codeOf(auth.call('register', { body, loopback: true }))).to.equal('registration_closed')
    expect(await codeOf(auth.call('register', { body, loopback: true, headers: {} }))).to.equal('registration_closed')
    const principal = await auth.principal(admin.access_token)
    const { json } = await auth.call('register', { body, principal })
    expect((json as { readonly user: object }).user).to.include({ username: 'bob', role: 'user' })
    const user = await auth.principal((json as { readonly access_token: string }).access_token)
    expect(await codeOf(auth.call('register', { body: { ...body, username: 'cyd' }, principal: user }))).to.equal('registration_closed')
    const readOnly = { ...principal, scopes: ['read' as const] }
    expect(await codeOf(auth.call('register', { body: { ...body, username: 'cyd' }, principal: readOnly }))).to.equal('registration_closed')
  })

  it('refuses a name or an e-mail address that is taken, however it is written', async () => {
    await auth.register('ada', { email: 'ada@example.org' })
    expect(await codeOf(auth.register(' ADA '))).to.equal('username_taken')
    expect(await codeOf(auth.register('bob', { email: ' ADA@example.ORG' }))).to.equal('email_taken')
    await auth.register('bob')
    await auth.register('cyd')
    expect(await auth.store.stored(users)).to.have.length(3)
  })

  it('gives a name to one of many who ask for it at once', async () => {
    await auth.register('ada')
    auth.store.pause = turnOfTheLoop
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => auth.register('bob', { email: 'bob@example.org' })))
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).to.include({ code: 'username_taken', status: 409 })
    expect(await auth.store.stored(users)).to.have.length(2)
  })

  it('never gives a handle again, also when its account is gone', async () => {
    const { user } = await auth.register('ada')
    await auth.register('bob')
    await auth.store.database.collection(users).delete(user.id)
    expect(await codeOf(auth.register('ada'))).to.equal('username_taken')
    expect(await auth.store.stored(userNames)).to.have.length(2)
  })

  it('names every problem of the input at once', async () => {
    const failure = await auth
      .register('1-up', { password: 'short', email: 'nobody', name: 'line\nbreak', timezone: 'Mars/Olympus', language: 'e n' })
      .catch((error: unknown) => error)
    if (!ServiceError.isInstance(failure)) throw failure
    expect(failure).to.include({ code: 'invalid_request', status: 422 })
    expect(failure.problems.map(({ path }) => path)).to.deep.equal(['/username', '/password', '/email', '/name', '/timezone', '/language'])
  })

  for (const username of ['a', 'a'.repeat(33), 'ä-user', 'a.b', 'a b', '-ab', '_ab', '9ab', '', 'ab\u0000', 'ab@c']) {
    it(`refuses the name ${JSON.stringify(username)}`, async () => {
      expect(await codeOf(auth.register('ok', { username }))).to.equal('invalid_request')
    })
  }

  for (const username of ['ab', 'a'.repeat(32), 'a-b_c9', ' Ab ']) {
    it(`accepts the name ${JSON.stringify(username)}`, async () => {
      expect((await auth.register('ok', { username })).user['username']).to.equal(username.trim().toLowerCase())
    })
  }

  it('6.2.1 6.2.5 6.2.8 6.2.9 counts the password in bytes of UTF-8, 8 to 1024, and takes every character', async () => {
    expect(await codeOf(auth.register('ok', { password: '1ö2ö3ö'.slice(0, 5) }))).to.equal('invalid_request')
    expect(await codeOf(auth.register('ok', { password: `x${'ö'.repeat(512)}` }))).to.equal('invalid_request')
    expect(await codeOf(auth.register('ok', { password: `good length ${'\ud800'}` }))).to.equal('invalid_request')
    await auth.register('ok1', { password: 'ööññ' })
    await auth.register('ok2', { password: 'ö'.repeat(512) })
    await auth.register('ok3', { password: ' \t🙂 with spaces ' })
    expect((await auth.call('login', { body: { username: 'ok3', password: ' \t🙂 with spaces ' } })).status).to.equal(200)
    expect(await codeOf(auth.call('login', { body: { username: 'ok2', password: `${'ö'.repeat(511)}o` } }))).to.equal('invalid_credentials')
  })

  it('6.2.4 refuses a common password, however it is capitalised', async () => {
    expect(await codeOf(auth.register('ok', { password: 'PassWord1' }))).to.equal('password_too_common')
  })

  it('6.2.4 6.2.12 ships a list of common passwords, each on a line of its own in lower case', async () => {
    const text = await readFile(new URL('../../../../resources/passwords/common.txt', import.meta.url), 'utf8')
    const lines = text.trimEnd().split('\n')
    expect(lines.length).to.be.at.least(200)
    expect(new Set(lines).size).to.equal(lines.length)
    for (const line of lines) expect(line).to.equal(line.trim().toLowerCase()).and.not.equal('')
    for (const common of ['password', '12345678', 'qwertyuiop', 'iloveyou']) expect(lines).to.include(common)
  })

  it('16.2.5 keeps no password, hash or code where it can be seen', async () => {
    const { user } = await auth.register('ada', { password: 'a very secret phrase' })
    expect(JSON.stringify(user)).not.to.match(/hash|argon/)
    expect(JSON.stringify(auth.log.lines)).not.to.match(/a very secret phrase|argon2/)
    const stored = JSON.stringify(await Promise.all(authCollections.map((collection) => auth.store.stored(collection))))
    expect(stored).to.include('$argon2id$v=19$').and.not.include('a very secret phrase')
  })
})
