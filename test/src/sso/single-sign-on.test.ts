import { expect } from 'chai'
import { type Browser, createBrowser } from './support/browser.js'
import { refusalOn, type SignOnService, startSignOnService } from './support/sign-on.js'

const password = 'a long enough phrase'

describe('single sign-on beside local accounts', () => {
  let service: SignOnService
  let owner: Browser

  const post = (path: string, body: unknown, browser: Browser = service.browser()) => browser.call('POST', `${service.url}${path}`, body)
  const asOwner = async (method: string, path: string, body?: unknown) => {
    const { token } = await service.profile(owner)
    return owner.call(method, `${service.url}${path}`, body, { authorization: `Bearer ${token}` })
  }

  before(async () => {
    service = await startSignOnService({})
  })
  after(() => service.stop())

  it('starts while the provider is unreachable, and reports that at a sign-in', async () => {
    expect(refusalOn(await service.signIn(service.browser(), 'owner'))).to.equal('503 sso_unavailable')
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
  })

  it('creates the first account from elsewhere only with the set-up code, as an admin', async () => {
    service.peer.people.set('owner', { email: 'owner@example.org', email_verified: true, preferred_username: 'owner' })
    expect(refusalOn(await service.signIn(service.browser(), 'owner'))).to.equal('403 setup_code_required')
    expect(refusalOn(await service.signIn(service.browser(), 'owner', { setup_code: 'guess' }))).to.equal('403 setup_code_required')
    owner = service.browser()
    await service.signIn(owner, 'owner', { setup_code: String(await service.kernel.auth.pendingSetupCode()) })
    expect((await service.profile(owner)).user).to.include({ username: 'owner', role: 'admin', email: 'owner@example.org' })
  })

  it('signs people in and takes them back to where they were, without a token in any address: 14.2.1', async () => {
    service.peer.people.set('ada', { email: 'ada@example.org', email_verified: true, name: 'Ada', preferred_username: 'Ada.Lovelace' })
    const ada = service.browser()
    const page = await service.signIn(ada, 'ada', { return_to: '/chats?open=1' })
    expect(page.url.href).to.equal(`${service.url}/chats?open=1`)
    const { token, user } = await service.profile(ada)
    expect(user).to.include({ username: 'ada-lovelace', name: 'Ada', email: 'ada@example.org', role: 'user' })
    const cookies = ada.cookies(`${service.url}/api/auth/sso/callback`)
    expect(Object.keys(cookies)).to.deep.equal(['refresh_token'])
    for (const secret of [token, cookies['refresh_token'] ?? '', 'refresh_token'])
      expect(page.way.some((address) => address.includes(secret))).to.equal(false)
  })

  it('knows them again by issuer and subject when their address has changed: 10.5.2', async () => {
    service.peer.people.set('ada', { email: 'owner@example.org', email_verified: true, preferred_username: 'owner' })
    const ada = service.browser()
    await service.signIn(ada, 'ada')
    expect((await service.profile(ada)).user).to.include({ username: 'ada-lovelace', email: 'ada@example.org' })
  })

  it('ends the session that the browser had before, and no other', async () => {
    service.peer.people.set('ben', {})
    const [one, two] = [service.browser(), service.browser()]
    await service.signIn(one, 'ben')
    await service.signIn(two, 'ben')
    const [before, other] = [await service.profile(one), await service.profile(two)]
    await service.signIn(one, 'ben')
    const me = (token: string) => one.call('GET', `${service.url}/api/auth/me`, undefined, { authorization: `Bearer ${token}` })
    expect([(await me(before.token)).status, (await me(other.token)).status]).to.deep.equal([401, 200])
  })

  it('gives the account with the same verified address, and ends its password and sessions', async () => {
    const local = service.browser()
    expect((await post('/api/auth/register', { username: 'carl', password, email: 'carl@example.org' }, local)).status).to.equal(201)
    const { token } = await service.profile(local)
    service.peer.people.set('carl', { email: 'Carl@Example.org', email_verified: true })
    const carl = service.browser()
    await service.signIn(carl, 'carl')
    expect((await service.profile(carl)).user).to.include({ username: 'carl' })
    expect((await local.call('GET', `${service.url}/api/auth/me`, undefined, { authorization: `Bearer ${token}` })).status).to.equal(401)
    expect((await post('/api/auth/login', { username: 'carl', password })).status).to.equal(401)
  })

  it('gives nobody an account by an address that is not verified, and an admin’s by a verified one alone', async () => {
    await post('/api/auth/register', { username: 'dora', password, email: 'dora@example.org' })
    service.peer.people.set('eve', { email: 'dora@example.org', email_verified: false })
    expect(refusalOn(await service.signIn(service.browser(), 'eve'))).to.equal('403 email_not_verified')
    const login = await post('/api/auth/login', { username: 'dora', password })
    const dora = ((await login.json()) as { readonly user: { readonly id: string } }).user
    await service.confirm(owner, 'owner')
    await asOwner('PATCH', `/api/admin/users/${dora.id}`, { role: 'admin' })
    service.peer.people.set('eve', { email: 'dora@example.org' })
    expect(refusalOn(await service.signIn(service.browser(), 'eve'))).to.equal('403 email_not_verified')
    service.peer.people.set('dora', { email: 'dora@example.org', email_verified: true })
    const browser = service.browser()
    await service.signIn(browser, 'dora')
    expect((await service.profile(browser)).user).to.include({ username: 'dora', role: 'admin' })
  })

  it('refuses a disabled account', async () => {
    service.peer.people.set('finn', { preferred_username: 'finn' })
    const finn = service.browser()
    await service.signIn(finn, 'finn')
    const { user } = await service.profile(finn)
    await asOwner('PATCH', `/api/admin/users/${String(user['id'])}`, { disabled: true })
    expect(refusalOn(await service.signIn(finn, 'finn'))).to.equal('403 account_disabled')
    expect((await finn.call('POST', `${service.url}/api/auth/refresh`)).status).to.equal(401)
  })

  it('ends where it began, once: 10.2.1', async () => {
    service.peer.people.set('gus', { preferred_username: 'gus' })
    const gus = service.browser()
    const callback = await service.callbackFor(gus, 'gus')
    expect(refusalOn(await service.browser().open(callback)), 'another browser').to.equal('400 sso_state_invalid')
    const foreign = new URL(callback)
    foreign.searchParams.set('state', 'x'.repeat(43))
    expect(refusalOn(await gus.open(foreign.href)), 'another state').to.equal('400 sso_state_invalid')
    const kept = gus.cookies(callback)
    expect((await gus.open(callback)).url.pathname).to.equal('/')
    expect(refusalOn(await gus.open(callback)), 'again').to.equal('400 sso_state_invalid')
    const cookie = Object.entries(kept).map(([name, value]) => `${name}=${value}`)
    const again = await fetch(callback, { headers: { cookie: cookie.join('; ') }, redirect: 'manual' })
    expect([again.status, ((await again.json()) as { readonly code: string }).code], 'again with the cookie').to.deep.equal([
      400,
      'sso_state_invalid',
    ])
  })

  it('does not take a code of another sign-in: 10.2.1', async () => {
    const [gus, thief] = [service.browser(), service.browser()]
    const stolen = new URL(await service.callbackFor(gus, 'gus')).searchParams.get('code') ?? ''
    const own = new URL(await service.callbackFor(thief, 'ada'))
    own.searchParams.set('code', stolen)
    expect(refusalOn(await thief.open(own.href))).to.equal('403 sso_response_invalid')
  })

  it('reports a refusal of the provider in its own words', async () => {
    const page = await service.signIn(service.browser(), '')
    expect(refusalOn(page)).to.equal('403 sso_denied')
    expect(page.text).to.include('access_denied: “words of the provider')
  })

  it('never redirects to another host: 3.7.2', async () => {
    for (const target of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])
      expect([target, refusalOn(await service.signIn(service.browser(), 'ada', { return_to: target }))]).to.deep.equal([
        target,
        '400 return_to_invalid',
      ])
  })

  it('refuses parameters that it does not know or that come twice, and a bad one to a program as a problem', async () => {
    const browser = service.browser()
    for (const [path, status, code] of [
      ['login?return_to=/&next=/', 422, 'invalid_request'],
      ['login?return_to=/&return_to=/', 422, 'invalid_request'],
      [`login?setup_code=${'x'.repeat(201)}`, 422, 'invalid_request'],
      ['login?return_to=//evil.example', 400, 'return_to_invalid'],
      ['callback?state=a&state=b', 422, 'invalid_request'],
      [`callback?state=${'x'.repeat(8_001)}`, 422, 'invalid_request'],
      ['callback?state=__proto__&session_state=1', 400, 'sso_state_invalid'],
      ['callback', 400, 'sso_state_invalid'],
    ] as const) {
      const response = await createBrowser({ address: `203.0.113.${path.length % 250}` }).call('GET', `${service.url}/api/auth/sso/${path}`)
      expect([path, response.status, ((await response.json()) as { readonly code: string }).code]).to.deep.equal([path, status, code])
    }
    expect((await browser.call('POST', `${service.url}/api/auth/sso/login`)).status).to.equal(405)
  })

  it('is in the description of the API', async () => {
    const { paths } = (await (await service.browser().call('GET', `${service.url}/api/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: object }>>>>
    }
    for (const [path, operation] of [
      ['login', 'beginSingleSignOn'],
      ['callback', 'completeSingleSignOn'],
    ] as const) {
      const described = paths[`/api/auth/sso/${path}`]?.['get']
      expect(described?.operationId).to.equal(operation)
      expect(Object.keys(described?.responses ?? {})).to.include.members(['303', '400', '403', '409', '503'])
    }
  })

  it('counts against the limit of account routes', async () => {
    const browser = service.browser()
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await browser.call('GET', `${service.url}/api/auth/sso/callback`)).status),
    )
    expect(statuses.filter((status) => status === 429).length).to.be.at.least(1)
  })

  it('leaves a trail for admins, and no secret in it or in the log', async () => {
    const response = await asOwner('GET', '/api/admin/audit?limit=200')
    const { items } = (await response.json()) as { readonly items: readonly { readonly kind: string; readonly details: object }[] }
    expect(items.map(({ kind }) => kind)).to.include.members(['identity.linked', 'account.created', 'sign_in.failed', 'sign_in.succeeded'])
    expect(items.find(({ kind }) => kind === 'identity.linked')?.details).to.deep.equal({
      issuer: service.peer.authority,
      ended_local_access: true,
    })
    const everything = JSON.stringify([items, service.kernel.log])
    for (const secret of [service.peer.clientSecret, owner.cookies(`${service.url}/`)['refresh_token'] ?? 'nothing', 'code_verifier'])
      expect(everything).to.not.include(secret)
    expect(JSON.stringify(service.kernel.log)).to.include('gets the account with that address')
  })
})
