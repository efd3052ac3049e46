import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { setUpCodeOf } from '../support/set-up-code.js'
import { type Browser, createBrowser } from './support/browser.js'
import { writePluginThatSignsIn } from './support/plugin-that-signs-in.js'
import { refusalOn, type SignOnService, startSignOnService } from './support/sign-on.js'

const password = 'a long enough phrase'

describe('single sign-on as the only way in, registration closed', () => {
  let service: SignOnService
  let owner: Browser
  let token: string
  let personal: string
  let folder: string

  const code = async (response: Response): Promise<string> =>
    `${response.status} ${((await response.json()) as { readonly code?: string }).code ?? ''}`.trim()
  const call = (method: string, path: string, body?: unknown, bearer = token) =>
    service.browser().call(method, `${service.url}${path}`, body, { authorization: `Bearer ${bearer}` })

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-sso-'))
    service = await startSignOnService({
      SERVICE_PLUGINS_SOURCES: JSON.stringify([await writePluginThatSignsIn(folder)]),
      SERVICE_SSO_DISABLE_LOCAL_AUTH: 'true',
      SERVICE_SSO_ALLOW_UNKNOWN_EMAIL_VERIFICATION: 'false',
      SERVICE_AUTH_ALLOW_REGISTRATION: 'false',
    })
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
    service.peer.people.set('owner', { email: 'owner@example.org', email_verified: true, preferred_username: 'owner' })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('is reported to sign-in pages', async () => {
    const response = await service.browser().call('GET', `${service.url}/api/auth/config`)
    expect(await response.json()).to.deep.include({ local_auth: false, sso: { enabled: true } })
  })

  it('refuses a local first account, also on this machine', async () => {
    const response = await createBrowser().call('POST', `${service.url}/api/auth/register`, { username: 'eve', password })
    expect(await code(response)).to.equal('403 local_auth_disabled')
  })

  it('makes the first account with the code that the service printed', async () => {
    owner = createBrowser()
    expect(refusalOn(await service.signIn(createBrowser(), 'owner'))).to.match(/setup_code_required/)
    await service.signIn(owner, 'owner', { setup_code: setUpCodeOf(service.kernel) })
    const profile = await service.profile(owner)
    expect(profile.user).to.include({ username: 'owner', role: 'admin' })
    token = profile.token
    const made = await call('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write', 'admin'] })
    personal = ((await made.json()) as { readonly token: string }).token
  })

  it('closes signing up, signing in and changing passwords for every caller', async () => {
    expect(await code(await call('POST', '/api/auth/register', { username: 'eve', password }))).to.equal('403 local_auth_disabled')
    expect(await code(await call('POST', '/api/auth/login', { username: 'owner', password }))).to.equal('403 local_auth_disabled')
    const change = { current_password: password, new_password: `${password}!` }
    expect(await code(await call('PUT', '/api/auth/password', change))).to.equal('403 local_auth_disabled')
  })

  it('refuses people without an account, and unverified addresses', async () => {
    service.peer.people.set('eve', { email: 'eve@example.org', email_verified: true })
    expect(refusalOn(await service.signIn(service.browser(), 'eve'))).to.equal('403 registration_closed')
    service.peer.people.set('eve', { email: 'owner@example.org' })
    expect(refusalOn(await service.signIn(service.browser(), 'eve'))).to.equal('403 email_not_verified')
    const { items } = (await (await call('GET', '/api/admin/users')).json()) as { readonly items: readonly unknown[] }
    expect(items).to.have.length(1)
  })

  it('lets people in for whom an admin has prepared an account', async () => {
    expect((await call('POST', '/api/admin/users', { username: 'ada', password, email: 'ada@example.org' })).status).to.equal(201)
    service.peer.people.set('ada', { email: 'ada@example.org', email_verified: true })
    const ada = service.browser()
    await service.signIn(ada, 'ada')
    expect((await service.profile(ada)).user).to.include({ username: 'ada' })
  })

  it('leaves personal access tokens', async () => {
    expect((await call('GET', '/api/auth/me', undefined, personal)).status).to.equal(200)
  })

  it('is no service for plugins of third parties, whatever they list', async () => {
    const { items } = (await (await call('GET', '/api/admin/plugins?limit=200')).json()) as {
      readonly items: readonly { readonly id: string; readonly state: string; readonly reason: string | null }[]
    }
    const plugin = items.find(({ id }) => id === 'plugin-that-signs-in')
    expect(plugin?.state).to.equal('failed')
    expect(plugin?.reason).to.include('the kernel does not offer it to this plugin')
  })

  it('stays the only way in while its plugin does not run', async () => {
    await service.confirm(owner, 'owner')
    expect((await call('POST', '/api/admin/plugins/feature-sso/disable')).status).to.equal(200)
    expect((await call('GET', '/api/auth/sso/login')).status).to.equal(404)
    expect(await code(await call('POST', '/api/auth/login', { username: 'ada', password }))).to.equal('403 local_auth_disabled')
    expect((await call('POST', '/api/admin/plugins/feature-sso/enable')).status).to.equal(200)
    expect((await call('GET', '/api/auth/sso/login')).status).to.equal(303)
  })
})
