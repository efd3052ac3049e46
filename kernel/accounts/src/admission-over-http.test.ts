import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import type { Registration } from './admission/registration.js'
import { registrationOf } from './admission/registration.js'
import { accountRequests, invitations } from './records/admission-records.js'
import { externalIdentities, users } from './records/records.js'
import { type AuthUnderTest, authSettingsUnderTest, openAuthUnderTest, type SignedInBody } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

const password = 'correct horse'
const hourMs = 3_600_000

interface Answer {
  readonly status: number
  readonly cookie: string | null
  readonly json: Readonly<Record<string, unknown>>
}

describe('getting an account after the first one, over HTTP', () => {
  let auth: AuthUnderTest
  let server: AuthServer
  let ada: SignedInBody
  /** A counter, so that each request comes from a network of its own and no rate limit is met. */
  let from: number

  const send = async (method: string, path: string, body?: JsonObject, token?: string): Promise<Answer> => {
    from += 1
    const answer = await server.fetch(path, {
      method,
      headers: { 'x-forwarded-for': `198.51.${from >> 8}.${from & 255}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(token === undefined ? {} : { token }),
    })
    const text = await answer.text()
    const json = (text === '' ? {} : JSON.parse(text)) as Answer['json']
    return { status: answer.status, cookie: answer.headers.get('set-cookie'), json }
  }
  const short = ({ status, json }: Answer): unknown => [status, json['code']]
  const asAda = (method: string, path: string, body?: JsonObject): Promise<Answer> => send(method, path, body, ada.access_token)
  const register = (username: string, more: JsonObject = {}): Promise<Answer> =>
    send('POST', '/api/auth/register', { username, password, ...more })
  const logIn = (username: string): Promise<Answer> => send('POST', '/api/auth/login', { username, password })
  const invite = async (body: JsonObject = {}): Promise<string> => tokenOf(await asAda('POST', '/api/admin/invitations', body))
  const tokenOf = ({ status, json }: Answer): string => {
    expect(status, JSON.stringify(json)).to.equal(201)
    return /^http:\/\/localhost:3001\/register#invitation=([\w-]{43})$/.exec(String(json['link']))?.[1] ?? 'no token'
  }
  const waiting = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await asAda('GET', '/api/admin/account-requests')).json['items'] as readonly Readonly<Record<string, unknown>>[]
  const kinds = async (): Promise<readonly unknown[]> => {
    const { items } = (await asAda('GET', '/api/admin/audit?limit=200')).json as { readonly items: readonly JsonObject[] }
    return items.map(({ kind }) => kind)
  }

  const open = async (registration: Registration, sso = false): Promise<void> => {
    auth = await openAuthUnderTest({
      registration,
      signInPolicy: { singleSignOn: sso, localSignIn: true },
      settings: { ...authSettingsUnderTest, allow_registration: registration !== 'closed' },
    })
    server = await startAuthServer(auth, auth.routes, { trusted_proxies: '127.0.0.1' })
    ada = await auth.register('ada', { password })
  }
  beforeEach(() => {
    from = 0
  })
  afterEach(async () => {
    await server.close()
    expect(server.answerCheck.violations).to.deep.equal([])
    await endTestStores()
  })

  describe('the mode', () => {
    const rows: readonly (readonly [Registration, boolean, boolean, 'default' | 'file' | 'environment'])[] = [
      ['approval', true, false, 'default'],
      ['approval', true, true, 'default'],
      ['open', true, false, 'file'],
      ['open', true, false, 'environment'],
      ['approval', true, true, 'file'],
      ['closed', false, false, 'file'],
      ['closed', false, true, 'environment'],
    ]
    it('6.3.2 is open only where the file or the environment says so', async () => {
      for (const [mode, allow, approval, source] of rows) {
        const section = { ...authSettingsUnderTest, allow_registration: allow, registration_approval: approval }
        const configuration = { auth: section, sourceOf: () => source } as unknown as Parameters<typeof registrationOf>[0]
        expect(registrationOf(configuration), `${allow} ${approval} ${source}`).to.equal(mode)
      }
      await open('approval')
      const { json } = await send('GET', '/api/auth/config')
      expect(json).to.include({ allow_registration: true, registration: 'approval' })
    })
  })

  describe('with an invitation', () => {
    beforeEach(() => open('closed'))

    it('makes one account although registration is closed, and signs the person in', async () => {
      const token = await invite({ name: 'Bob B.' })
      expect((await send('POST', '/api/auth/invitation', { invitation: token })).json).to.include({ email: null, name: 'Bob B.' })
      const { status, json, cookie } = await register('bob', { invitation: token })
      expect(status).to.equal(201)
      expect(json['user']).to.include({ username: 'bob', role: 'user', name: 'Bob B.' })
      expect(cookie).to.include('refresh_token=')
      expect(short(await register('cyd', { invitation: token }))).to.deep.equal([403, 'invitation_used'])
      expect(short(await send('POST', '/api/auth/invitation', { invitation: token }))).to.deep.equal([403, 'invitation_used'])
      expect(await auth.store.stored(users)).to.have.length(2)
      expect(await kinds()).to.include.members(['invitation.created', 'account.created'])
    })

    it('6.4.1 keeps only a digest of the token, and says it in no log', async () => {
      const token = await invite()
      await register('bob', { invitation: token })
      const listed = await asAda('GET', '/api/admin/invitations')
      const audited = await asAda('GET', '/api/admin/audit?limit=200')
      for (const text of [await auth.store.stored(invitations), auth.log.lines, listed.json, audited.json])
        expect(JSON.stringify(text)).to.not.include(token)
      expect(JSON.stringify(listed.json)).to.not.include('digest')
    })

    it('is used by one of many at once', async () => {
      const token = await invite()
      const answers = await Promise.all(['bob', 'cyd', 'dee', 'eve'].map((name) => register(name, { invitation: token })))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 403, 403, 403])
      const refused = answers.filter(({ status }) => status === 403)
      expect(refused.map(({ json }) => json['code'])).to.deep.equal(['invitation_used', 'invitation_used', 'invitation_used'])
      expect(await auth.store.stored(users)).to.have.length(2)
    })

    it('makes as many accounts as it says, and none by a registration that fails', async () => {
      const token = await invite({ max_uses: 2 })
      expect(short(await register('ada', { invitation: token }))).to.deep.equal([409, 'username_taken'])
      for (const name of ['bob', 'cyd']) expect((await register(name, { invitation: token })).status).to.equal(201)
      expect(short(await register('dee', { invitation: token }))).to.deep.equal([403, 'invitation_used'])
    })

    it('is bound to an address, and to the role that it says', async () => {
      const token = await invite({ email: 'Bob@Example.org' })
      const other = await register('bob', { invitation: token, email: 'eve@example.org' })
      expect(short(other)).to.deep.equal([422, 'invalid_request'])
      expect(JSON.stringify(other.json['errors'])).to.include('/email')
      expect(short(await register('bob', { invitation: token, role: 'admin' }))).to.deep.equal([422, 'invalid_request'])
      expect((await register('bob', { invitation: token })).json['user']).to.include({
        email: 'bob@example.org',
        email_verified: false,
        role: 'user',
      })
      expect((await auth.store.stored(invitations))[0]?.document).to.include({ email: null, name: null })
      expect(short(await asAda('POST', '/api/admin/invitations', { email: 'x@example.org', max_uses: 2 }))).to.deep.equal([
        422,
        'invalid_request',
      ])
    })

    it('makes an admin only if its maker has confirmed who they are', async () => {
      expect(short(await asAda('POST', '/api/admin/invitations', { role: 'admin' }))).to.deep.equal([403, 'confirmation_required'])
      await asAda('POST', '/api/auth/confirm', { password })
      const token = await invite({ role: 'admin' })
      expect((await register('bob', { invitation: token })).json['user']).to.include({ role: 'admin' })
    })

    it('ends with its time, when it is revoked, and with the rights of its maker', async () => {
      for (const hours of [0, 721, 1.5]) {
        const { status } = await asAda('POST', '/api/admin/invitations', { expires_in_hours: hours })
        expect(status, String(hours)).to.equal(422)
      }
      const revoked = await asAda('POST', '/api/admin/invitations', {})
      expect((await asAda('DELETE', `/api/admin/invitations/${String(revoked.json['id'])}`)).status).to.equal(204)
      expect((await asAda('DELETE', `/api/admin/invitations/${String(revoked.json['id'])}`)).status).to.equal(204)
      expect(short(await register('bob', { invitation: tokenOf(revoked) }))).to.deep.equal([403, 'invitation_revoked'])
      expect(short(await register('bob', { invitation: 'guessed' }))).to.deep.equal([403, 'invitation_invalid'])
      const [ofDemoted, ofDisabled] = [await admin('cyd'), await admin('dee')]
      await auth.administration.change(ofDemoted.userId, { role: 'user' }, { userId: null, address: null })
      await auth.administration.change(ofDisabled.userId, { disabled: true }, { userId: null, address: null })
      for (const { token } of [ofDemoted, ofDisabled])
        expect(short(await register('bob', { invitation: token }))).to.deep.equal([403, 'invitation_invalid'])
      await auth.administration.change(ofDisabled.userId, { disabled: false }, { userId: null, address: null })
      expect(short(await register('bob', { invitation: ofDisabled.token }))).to.deep.equal([403, 'invitation_invalid'])

      const token = await invite({ expires_in_hours: 1 })
      await auth.clock.advance(hourMs)
      ada = (await logIn('ada')).json as unknown as SignedInBody
      expect(short(await register('bob', { invitation: token }))).to.deep.equal([403, 'invitation_expired'])
      const { items } = (await asAda('GET', '/api/admin/invitations')).json as { readonly items: readonly JsonObject[] }
      expect(items.map(({ state, made_by }) => [state, made_by])).to.deep.equal([
        ['revoked', 'ada'],
        ['expired', 'ada'],
      ])
      await auth.clock.advance(38 * 24 * hourMs)
      await auth.jobs.find(({ id }) => id === 'kernel.prune-invitations')?.run({ signal: new AbortController().signal, epoch: 1 })
      expect(await auth.store.stored(invitations)).to.deep.equal([])
    })

    /** Another admin, and an invitation of theirs. */
    const admin = async (username: string) => {
      const { user } = await auth.accounts.create(
        { username, password, role: 'admin' },
        { trusted: true, mayBeFirst: true },
        () => undefined,
      )
      const { link } = await auth.invitations.create({}, { userId: user.id, address: null })
      return { userId: user.id, token: link.replace(/^.*=/, '') }
    }

    it('is no way for users, and no faster guess than a password', async () => {
      const bob = (await register('bob', { invitation: await invite() })).json as unknown as SignedInBody
      for (const [method, path] of [
        ['GET', '/api/admin/invitations'],
        ['POST', '/api/admin/invitations'],
        ['GET', '/api/admin/account-requests'],
      ] as const)
        expect(short(await send(method, path, method === 'POST' ? {} : undefined, bob.access_token))).to.deep.equal([403, 'forbidden'])
      const guesses = await Promise.all(
        Array.from({ length: 30 }, () =>
          server.fetch('/api/auth/invitation', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
            body: JSON.stringify({ invitation: 'guess' }),
          }),
        ),
      )
      expect(guesses.filter(({ status }) => status === 429)).to.not.have.length(0)
    })

    it('gives nothing of an admin who is signed in in the same browser', async () => {
      const token = await invite()
      const { json } = await send('POST', '/api/auth/register', { username: 'bob', password, invitation: token }, ada.access_token)
      expect(json['user']).to.include({ role: 'user' })
      expect(short(await register('cyd', { invitation: token }))).to.deep.equal([403, 'invitation_used'])
    })

    it('is exported to its maker without the digest, and erased with them', async () => {
      await invite({ name: 'Bob' })
      const [data] = auth.userData
      const { signal } = new AbortController()
      const found: string[] = []
      for await (const { path, ...entry } of data?.export(ada.user.id, { signal }) ?? [])
        if (path.startsWith('invitations/')) found.push(JSON.stringify(entry))
      expect(found).to.have.length(1)
      expect(found[0]).to.include('Bob').and.not.include('digest')
      await data?.erase(ada.user.id, { signal })
      expect(await auth.store.stored(invitations)).to.deep.equal([])
    })
  })

  describe('with the approval of an admin', () => {
    beforeEach(() => open('approval', true))

    it('keeps a person waiting, who gets a clear answer with the right password alone', async () => {
      const asked = await register('bob', { email: 'bob@example.org', name: 'Bob' })
      expect([asked.status, asked.json['status'], asked.cookie]).to.deep.equal([202, 'waiting', null])
      expect(asked.json).to.not.have.property('access_token')
      for (const name of ['bob', 'BOB@example.org']) expect(short(await logIn(name))).to.deep.equal([403, 'account_waiting'])
      const wrong = await send('POST', '/api/auth/login', { username: 'bob', password: 'wrong horse' })
      expect(short(wrong)).to.deep.equal([401, 'invalid_credentials'])
      expect(short(await register('bob'))).to.deep.equal([409, 'username_taken'])
      expect(short(await register('eve', { email: 'bob@example.org' }))).to.deep.equal([409, 'email_taken'])
      expect(await waiting()).to.have.length(1)
      expect(await auth.store.stored(users)).to.have.length(1)
      expect(await kinds()).to.include('account.requested')
    })

    it('is no account by any other door', async () => {
      await register('bob', { email: 'bob@example.org' })
      const [request] = await waiting()
      const id = String(request?.['id'])
      expect((await asAda('GET', `/api/admin/users/${id}`)).status).to.equal(404)
      expect((await asAda('PATCH', `/api/admin/users/${id}`, { disabled: false })).status).to.equal(404)
      expect(await auth.accounts.findByLogin('bob')).to.equal(undefined)
      expect([await auth.directory.get(id), await auth.directory.contact(id)]).to.deep.equal([undefined, undefined])
      expect((await auth.directory.ids({ limit: 10 })).ids).to.deep.equal([ada.user.id])
      expect((await send('POST', '/api/auth/refresh')).status).to.equal(401)
      expect(await auth.directory.waiting()).to.deep.equal([{ id, username: 'bob' }])
      expect(JSON.stringify(request)).to.not.include('argon2').and.not.include('password')
    })

    it('lets an admin approve, once: the person signs in with the password that they chose, and has what they entered', async () => {
      const entered = { email: 'bob@example.org', name: 'Bob', timezone: 'Europe/Vienna', language: 'de' }
      await register('bob', entered)
      const [request] = await waiting()
      const path = `/api/admin/account-requests/${String(request?.['id'])}/approve`
      const both = await Promise.all([asAda('POST', path), asAda('POST', path)])
      expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 404])
      expect((await logIn('bob')).json['user']).to.include({ ...entered, username: 'bob', role: 'user', email_verified: false })
      expect(await waiting()).to.deep.equal([])
      expect(await kinds()).to.include('account.created')
    })

    it('lets an admin refuse: what was entered is gone, and the name is free again', async () => {
      await register('bob')
      const [request] = await waiting()
      const path = `/api/admin/account-requests/${String(request?.['id'])}`
      expect((await asAda('DELETE', path)).status).to.equal(204)
      expect((await asAda('DELETE', path)).status).to.equal(404)
      expect(await auth.store.stored(accountRequests)).to.deep.equal([])
      expect(short(await logIn('bob'))).to.deep.equal([401, 'invalid_credentials'])
      expect((await register('bob')).status).to.equal(202)
      expect(await kinds()).to.include('account.refused')
    })

    it('keeps a name for nobody: an admin may give it to another person meanwhile', async () => {
      await register('bob')
      const [request] = await waiting()
      expect((await asAda('POST', '/api/admin/users', { username: 'bob', password: 'another horse' })).status).to.equal(201)
      expect(short(await asAda('POST', `/api/admin/account-requests/${String(request?.['id'])}/approve`))).to.deep.equal([
        409,
        'username_taken',
      ])
      expect(short(await logIn('bob'))).to.deep.equal([401, 'invalid_credentials'])
    })

    it('ends after two weeks without a decision', async () => {
      await register('bob')
      const [request] = await waiting()
      await auth.clock.advance(14 * 24 * hourMs)
      ada = (await logIn('ada')).json as unknown as SignedInBody
      expect(short(await logIn('bob'))).to.deep.equal([401, 'invalid_credentials'])
      expect(await waiting()).to.deep.equal([])
      expect((await asAda('POST', `/api/admin/account-requests/${String(request?.['id'])}/approve`)).status).to.equal(404)
      expect((await register('bob')).status).to.equal(202)
    })

    it('keeps at most twenty of one network and a hundred waiting', async () => {
      const ask = (name: string, address: string) =>
        auth.call('register', { body: { username: name, password }, address }).then(
          ({ status }) => status,
          (error: { readonly code: string }) => error.code,
        )
      for (let number = 0; number < 20; number++) expect(await ask(`n${number}`, '192.0.2.1')).to.equal(202)
      expect(await ask('one-more', '192.0.2.1')).to.equal('rate_limited')
      for (let number = 20; number < 100; number++) expect(await ask(`n${number}`, `203.0.113.${number}`)).to.equal(202)
      expect(await ask('one-more', '198.51.100.1')).to.equal('rate_limited')
    })

    it('admits invited people and those whom an admin creates at once', async () => {
      expect((await register('bob', { invitation: await invite() })).status).to.equal(201)
      const { status } = await send('POST', '/api/auth/register', { username: 'cyd', password }, ada.access_token)
      expect(status).to.equal(201)
    })

    it('keeps a person of single sign-on waiting too, with the identity', async () => {
      const person = {
        issuer: 'https://login.example',
        subject: 's-1',
        email: 'bob@example.org',
        emailVerified: true,
        preferredUsername: 'bob',
      }
      const origin = { address: '192.0.2.7', userAgent: 'browser', loopback: false }
      const signIn = async (): Promise<unknown> =>
        auth.externalSignIn?.signIn(person, { origin, matchEmail: true, acceptUnverifiedEmail: true }).then(
          ({ userId }) => userId,
          (error: { readonly code: string }) => error.code,
        )
      expect([await signIn(), await signIn()]).to.deep.equal(['account_waiting', 'account_waiting'])
      const [request, ...others] = await waiting()
      expect(others).to.deep.equal([])
      expect(request).to.include({ username: 'bob', issuer: person.issuer, email: 'bob@example.org' })
      expect(await auth.store.stored(externalIdentities)).to.deep.equal([])
      const { json } = await asAda('POST', `/api/admin/account-requests/${String(request?.['id'])}/approve`)
      expect(json).to.include({ username: 'bob', role: 'user', email_verified: true })
      expect(await signIn()).to.equal(json['id'])
    })

    it('no longer keeps a person of single sign-on waiting whose identity got an account otherwise', async () => {
      const person = {
        ...{ issuer: 'https://login.example', subject: 's-1' },
        email: 'bob@example.org',
        emailVerified: true,
        preferredUsername: 'rob',
      }
      const origin = { address: '192.0.2.7', userAgent: 'browser', loopback: false }
      const signIn = async (): Promise<unknown> =>
        auth.externalSignIn?.signIn(person, { origin, matchEmail: true, acceptUnverifiedEmail: true }).then(
          ({ userId }) => userId,
          (error: { readonly code: string }) => error.code,
        )
      expect(await signIn()).to.equal('account_waiting')
      const [request] = await waiting()
      const vouched = { trusted: true, mayBeFirst: false, vouchesForEmail: true }
      const { user } = await auth.accounts.create({ username: 'bob', password, email: person.email }, vouched, () => undefined)
      expect(await signIn()).to.equal(user.id)
      expect(await waiting()).to.deep.equal([])
      await auth.administration.change(user.id, { email: 'robert@example.org' }, { userId: null, address: null })
      expect((await asAda('POST', `/api/admin/account-requests/${String(request?.['id'])}/approve`)).status).to.equal(404)
    })
  })
})
