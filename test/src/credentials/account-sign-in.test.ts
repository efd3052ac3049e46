import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { type CredentialsKernel, startCredentialsKernel, until } from './support/credentials-kernel.js'

const credentials = '/api/admin/credentials'
const signIns = `${credentials}/sign-in`

describe('signing in with an account', () => {
  let service: CredentialsKernel
  let admin: Api

  const start = async (): Promise<void> => {
    service = await startCredentialsKernel()
    admin = await service.admin()
  }
  const close = async (): Promise<void> => service?.close()
  /** The ids of the sign-ins that the test has begun. */
  let open: unknown[] = []
  const begin = async (brand: string, more: object = {}): Promise<Record<string, unknown>> => {
    const { status, body } = await admin.request('POST', signIns, { brand, ...more })
    expect(status, JSON.stringify(body)).to.equal(201)
    open.push(body['sign_in_id'])
    return body
  }
  /** Leaves the service to the next test as this one found it. */
  const cleanUp = async (): Promise<void> => {
    for (const id of open) await admin.request('DELETE', `${signIns}/${id}`)
    open = []
    const { body } = await admin.request('GET', credentials)
    for (const { id } of body['items'] as readonly { readonly id: string }[]) {
      const { status } = await admin.request('DELETE', `${credentials}/${id}`)
      expect(status).to.equal(204)
    }
  }
  const look = async (id: unknown): Promise<Record<string, unknown>> => (await admin.request('GET', `${signIns}/${id}`)).body
  const ended = (id: unknown) =>
    until(
      () => look(id),
      ({ state }) => state !== 'pending',
    )
  const comeBack = (url: URL, api: Api = admin) => {
    const { pathname, search } = url
    return fetch(`${service.kernel.url}${pathname}${search}`, { headers: { authorization: `Bearer ${api.token}` } })
  }
  /** The id of a credential that an account of the first-party brand signed in for. */
  const signIn = async (more: object = {}): Promise<string> => {
    const begun = await begin('openai', more)
    const response = await comeBack(service.vendor.approveInBrowser(String(begun['authorization_url'])))
    expect(await response.text()).to.contain('You are signed in')
    return String((await look(begun['sign_in_id']))['credential_id'])
  }
  const restartWith = async (id: string, group: object = {}): Promise<void> => {
    await service.restart({
      providers: { openai: { credential_id: id } },
      models: { primary: { provider: 'openai', model: 'm', retry: { max_retries: 0 }, ...group } },
    })
    admin = await service.admin()
  }
  const stored = async (id: string): Promise<Record<string, unknown>> => (await admin.request('GET', `${credentials}/${id}`)).body

  describe('with a code', () => {
    before(start)
    afterEach(cleanUp)
    after(close)

    it('waits for the person, and makes a working credential', async () => {
      const begun = await begin('github-copilot', { label: 'Team' })
      expect(begun).to.include({
        kind: 'device',
        brand: 'github-copilot',
        state: 'pending',
        verification_url: 'https://vendor.example/device',
      })
      expect(begun).to.not.have.any.keys('device_code', 'credential_id')
      service.vendor.approveDevice(String(begun['user_code']))
      const end = await ended(begun['sign_in_id'])
      expect(end).to.include({ state: 'completed' })
      const id = String(end['credential_id'])
      expect(await stored(id)).to.include({ kind: 'account', brand: 'github-copilot', label: 'Team', state: 'ready' })
      expect(await stored(id)).to.have.property('expires_at')
      expect((await admin.request('POST', `${credentials}/${id}/test`)).body).to.include({ ok: true })
      const [access] = service.vendor.accepted
      expect(service.vendor.calls.map(({ token }) => token)).to.deep.equal([access])
      expect(JSON.stringify(service.kernel.log)).to.not.contain(access)
    })

    for (const [error, reason] of [
      ['access_denied', 'denied'],
      ['expired_token', 'expired'],
      ['unsupported_grant_type', 'refused'],
    ] as const)
      it(`ends with ${error}`, async () => {
        service.vendor.answerNext({ status: 200, body: { error } })
        const end = await ended((await begin('github-copilot'))['sign_in_id'])
        expect(end).to.include({ state: 'failed', reason })
        expect(end['message']).to.be.a('string')
        expect((await admin.request('GET', credentials)).body['items']).to.deep.equal([])
      })

    it('continues when the connection breaks or the vendor fails', async () => {
      service.vendor.answerNext('cut', { status: 503, body: {} })
      const begun = await begin('github-copilot')
      service.vendor.approveDevice(String(begun['user_code']))
      expect(await ended(begun['sign_in_id'])).to.include({ state: 'completed' })
    })

    it('is cancelled, and polls no more', async () => {
      const begun = await begin('github-copilot')
      const { body } = await admin.request('DELETE', `${signIns}/${begun['sign_in_id']}`)
      expect(body).to.include({ state: 'cancelled' })
      service.vendor.approveDevice(String(begun['user_code']))
      expect((await admin.request('DELETE', `${signIns}/${begun['sign_in_id']}`)).body).to.include({ state: 'cancelled' })
      expect((await admin.request('GET', credentials)).body['items']).to.deep.equal([])
    })
  })

  describe('in the browser', () => {
    before(start)
    afterEach(cleanUp)
    after(close)

    it('uses PKCE and completes once, for the administrator who began', async () => {
      const begun = await begin('openai')
      expect(begun).to.include({ kind: 'browser', state: 'pending', returns_here: true })
      const page = new URL(String(begun['authorization_url']))
      expect(Object.fromEntries(page.searchParams)).to.include({
        response_type: 'code',
        client_id: 'client-1',
        code_challenge_method: 'S256',
      })
      const back = service.vendor.approveInBrowser(page.href)
      expect(back.pathname).to.equal('/api/admin/credentials/sign-in/callback')

      await confirm(admin)
      await admin.request('POST', '/api/admin/users', { username: 'second', password: 'a long enough password', role: 'admin' })
      const second = await signUp(service.kernel.url, 'second')
      expect((await comeBack(back, second)).status).to.equal(400)
      expect((await second.request('GET', `${signIns}/${begun['sign_in_id']}`)).status).to.equal(404)
      expect((await fetch(`${service.kernel.url}${back.pathname}${back.search}`)).status).to.equal(401)

      const response = await comeBack(back)
      expect({ status: response.status, text: await response.text() }).to.deep.equal({
        status: 200,
        text: 'You are signed in. You can close this window.\n',
      })
      expect((await comeBack(back)).status).to.equal(400)
      expect(await look(begun['sign_in_id'])).to.include({ state: 'completed' })
    })

    it('completes with the cookie of a session, as browsers do', async () => {
      const begun = await begin('openai')
      const back = service.vendor.approveInBrowser(String(begun['authorization_url']))
      const login = await fetch(`${service.kernel.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'root', password: 'a long enough password' }),
      })
      const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const response = await fetch(`${service.kernel.url}${back.pathname}${back.search}`, { headers: { cookie } })
      expect(await response.text()).to.contain('You are signed in')
    })

    for (const [what, change, words] of [
      ['a person who says no', { error: 'access_denied' }, 'declined'],
      ['an error', { error: 'server_error' }, 'refused'],
      ['a code that is not the one', { code: 'other' }, 'invalid_grant'],
    ] as const)
      it(`fails with ${what}`, async () => {
        const begun = await begin('openai')
        const back = service.vendor.approveInBrowser(String(begun['authorization_url']))
        if ('error' in change) back.searchParams.delete('code')
        for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value)
        expect(await (await comeBack(back)).text()).to.contain(words)
        expect(await look(begun['sign_in_id'])).to.include({ state: 'failed' })
        expect((await admin.request('GET', credentials)).body['items']).to.deep.equal([])
      })

    it('is completed with the final address of the browser', async () => {
      const begun = await begin('openai')
      const other = await begin('openai')
      const back = service.vendor.approveInBrowser(String(begun['authorization_url']))
      const complete = (id: unknown, url: string) => admin.request('POST', `${signIns}/${id}/redirect`, { url })
      expect((await complete(other['sign_in_id'], back.href)).body).to.include({ code: 'sign_in_state_invalid' })
      expect((await complete(begun['sign_in_id'], 'no address')).status).to.equal(422)
      expect((await complete(begun['sign_in_id'], 'http://localhost:1455/auth/callback')).status).to.equal(400)
      expect((await complete('nothing', back.href)).status).to.equal(404)
      expect((await complete(begun['sign_in_id'], ` ${back.href} `)).body).to.include({ state: 'completed' })
    })

    it('is refused for connections without accounts', async () => {
      const { body: key } = await admin.request('POST', credentials, { brand: 'openai', label: 'Key', api_key: 'a-key-of-some-length' })
      const account = await signIn()
      for (const [what, body, status, words] of [
        ['a brand without a sign-in', { brand: 'groq' }, 422, 'openai, github-copilot'],
        ['an unknown brand', { brand: 'nowhere' }, 422, 'nowhere'],
        ['no brand', {}, 422, '/brand'],
        ['a credential that is a key', { brand: 'openai', credential_id: key['id'] }, 422, '/credential_id'],
        ['an account of another brand', { brand: 'github-copilot', credential_id: account }, 422, '“openai”'],
        ['a missing credential', { brand: 'openai', credential_id: 'gone' }, 404, 'credential'],
        ['an unknown member', { brand: 'openai', scopes: ['all'] }, 422, '/scopes'],
      ] as const) {
        const answer = await admin.request('POST', signIns, body)
        expect(answer.status, what).to.equal(status)
        expect(JSON.stringify(answer.body), what).to.contain(words)
      }
      for (const id of ['nothing', '__proto__']) expect((await admin.request('GET', `${signIns}/${id}`)).status).to.equal(404)
    })

    it('limits the number of open sign-ins', async () => {
      for (let count = 0; count < 20; count += 1) await begin('openai')
      expect((await admin.request('POST', signIns, { brand: 'openai' })).body).to.include({ code: 'sign_ins_too_many' })
    })
  })

  describe('gives tokens that', () => {
    beforeEach(start)
    afterEach(close)

    it("serve calls by the accounts' one protocol, with the id of the account", async () => {
      const id = await signIn()
      await restartWith(id)
      expect((await service.ask('primary')).status).to.equal(200)
      expect(service.vendor.calls).to.deep.equal([{ path: '/v1/responses', token: [...service.vendor.accepted][0], account: 'account-1' }])
      await restartWith(id, { api: 'completions' })
      const { status, body } = await service.ask('primary')
      expect(status).to.equal(400)
      expect(JSON.stringify(body)).to.contain('responses').and.contain('models.primary')
      expect(service.vendor.calls).to.have.length(1)
    })

    it('are refreshed before they expire, once for ten parallel calls, and the new ones survive a restart', async () => {
      service.vendor.tokenLife = 60
      const id = await signIn()
      service.vendor.tokenLife = 3_600
      await restartWith(id)
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await service.ask('primary')).status))
      expect(statuses).to.deep.equal(Array(10).fill(200))
      const refreshes = () => service.vendor.asked.filter((form) => form['grant_type'] === 'refresh_token').length
      expect(refreshes()).to.equal(1)
      expect(new Set(service.vendor.calls.map(({ token }) => token)).size).to.equal(1)
      await restartWith(id)
      expect((await service.ask('primary')).status).to.equal(200)
      expect(refreshes()).to.equal(1)
    })

    it('are replaced when a call is refused, and the call is retried once', async () => {
      const id = await signIn()
      await restartWith(id)
      service.vendor.endAccessTokens()
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await service.ask('primary')).status))
      expect(statuses).to.deep.equal(Array(10).fill(200))
      expect(service.vendor.asked.filter((form) => form['grant_type'] === 'refresh_token')).to.have.length(1)
    })

    it('require a new sign-in when the vendor does not renew them, and work afterwards', async () => {
      const id = await signIn({ label: 'Team' })
      await restartWith(id)
      service.vendor.endAccessTokens()
      service.vendor.answerNext({ status: 401, body: { error: { code: 'refresh_token_reused', message: 'no' } } })
      expect((await service.ask('primary')).status).to.be.at.least(400)
      expect(await stored(id)).to.include({ state: 'sign_in_needed' })
      const refused = await service.ask('primary')
      expect(refused.status).to.equal(400)
      expect(JSON.stringify(refused.body)).to.contain('openai').and.contain(id).and.contain('sign in with it again')
      expect((await admin.request('POST', `${credentials}/${id}/test`)).body).to.include({ ok: false })

      // A connection uses it: another account would get its conversations.
      const unconfirmed = await admin.request('POST', `${credentials}/sign-in`, { brand: 'openai', credential_id: id })
      expect([unconfirmed.status, unconfirmed.body['code']]).to.deep.equal([403, 'confirmation_required'])
      await confirm(admin)
      expect(await signIn({ credential_id: id })).to.equal(id)
      expect(await stored(id)).to.include({ state: 'ready', label: 'Team' })
      expect((await service.ask('primary')).status).to.equal(200)
    })

    it('leaves nothing behind when the service stops', async () => {
      await begin('github-copilot')
      await begin('openai')
      await service.restart({ providers: {}, models: {} })
      expect(service.kernel.log.some(({ level }) => level === 'error')).to.equal(false)
    })
  })
})
