import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createBrowser } from '../sso/support/browser.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { until } from './support/credentials-kernel.js'
import { callService, type ServiceAnswer, writeCredentialsPlugin } from './support/credentials-plugin.js'
import { startTokenProvider, type TokenProvider } from './support/token-provider.js'

const canary = 'canary-secret-of-a-user-1234'

/** Everything that a service has written below a folder, as it lies there. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

describe('the credentials service, used by third-party plugins', () => {
  let folder: string
  let plugins: readonly string[]
  let provider: TokenProvider
  let kernel: TestKernel
  let admin: Api

  const start = async (): Promise<void> => {
    kernel = await createTestKernel({ folder: path.join(folder, 'data'), plugins })
    for (const id of ['keeper-a', 'keeper-b']) expect(kernel.report.find((entry) => entry.id === id)).to.include({ state: 'active' })
    admin = await signUp(kernel.url, 'root')
  }
  const call = (method: string, argument: unknown, more?: unknown, plugin = 'keeper-a'): Promise<ServiceAnswer> =>
    callService(admin, plugin, method, argument, more)

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-keepers-'))
    plugins = await Promise.all(['keeper-a', 'keeper-b'].map((id) => writeCredentialsPlugin(folder, id)))
    provider = await startTokenProvider()
    await start()
  })
  after(async () => {
    await kernel?.stop()
    await provider?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const clientOf = () => ({
    ...{ clientId: provider.clientId, clientSecret: provider.clientSecret, issuer: provider.url, scopes: ['openid'] },
    ...{ authorizationUrl: `${provider.url}/auth`, tokenUrl: `${provider.url}/token`, revocationUrl: `${provider.url}/token/revocation` },
  })
  const grants = (grant: string): number => provider.asked.filter((asked) => asked.grant === grant).length
  const reference = { owner: 'deployment', id: 'calendar' }
  const accessToken = async (refused?: string): Promise<string> =>
    ((await call('open', reference, { refused })).result as unknown as { readonly accessToken: string }).accessToken

  it('signs a person in by code, PKCE and nonce, and returns tokens that the server accepts', async () => {
    const begun = await call('beginSignIn', {
      ...{ ...reference, purpose: 'calendar', label: 'Work', userId: admin.userId, flow: 'code', client: clientOf() },
    })
    const { id, authorizationUrl } = begun.result as unknown as { readonly id: string; readonly authorizationUrl: string }
    const parameters = new URL(authorizationUrl).searchParams
    provider.serve(parameters.get('redirect_uri') ?? '')
    const { url } = await createBrowser().open(authorizationUrl, ({ pathname }) => pathname === '/api/credentials/callback')
    expect(url.searchParams.get('iss'), 'the server says who it is').to.equal(provider.url)

    const comeBack = async (api: Api) => {
      const headers = { authorization: `Bearer ${api.token}` }
      const response = await fetch(`${kernel.url}${url.pathname}${url.search}`, { headers })
      return { status: response.status, text: await response.text() }
    }
    const eve = await signUp(kernel.url, 'eve')
    expect(await comeBack(eve)).to.include({ status: 400 })
    expect(await comeBack(admin)).to.deep.equal({ status: 200, text: 'You are signed in. You can close this window.\n' })
    expect((await comeBack(admin)).status).to.equal(400)
    expect((await call('getSignIn', id, admin.userId)).result).to.include({ state: 'completed', credentialId: 'calendar' })
  })

  it('renews once for a hundred callers, with a refresh token that works once, also after a restart', async () => {
    const tokens = await Promise.all(Array.from({ length: 100 }, () => accessToken()))
    expect(new Set(tokens).size).to.equal(1)
    expect(grants('refresh_token')).to.equal(1)
    expect(await provider.accepts(tokens[0] ?? '')).to.equal(true)
    await kernel.stop()
    await start()
    expect(await accessToken()).to.equal(tokens[0])
    const renewed = await accessToken(tokens[0])
    expect(renewed).to.not.equal(tokens[0])
    expect(grants('refresh_token')).to.equal(2)
    expect(await provider.accepts(renewed)).to.equal(true)
  })

  it('isolates plugins from each other', async () => {
    expect((await call('get', reference)).result).to.include({ id: 'calendar', state: 'ready' })
    for (const method of ['get', 'delete']) expect((await call(method, reference, {}, 'keeper-b')).result).to.be.oneOf([null, false])
    expect(await call('open', reference, {}, 'keeper-b')).to.include({ error: 'credential_not_found' })
    expect((await call('list', { owner: 'deployment' }, {}, 'keeper-b')).result).to.deep.equal({ items: [] })
  })

  it('requests tokens as the client itself, without a sign-in', async () => {
    const robot = { owner: 'deployment', id: 'robot' }
    const { issuer: _issuer, scopes: _scopes, ...client } = clientOf()
    const content = { kind: 'oauth', client: { ...client, renewal: 'client_credentials' } }
    expect((await call('create', { ...robot, purpose: 'calendar', label: 'Robot', content })).result).to.include({ id: 'robot' })
    expect((await call('open', robot)).result).to.have.property('accessToken')
    expect(grants('client_credentials')).to.equal(1)
  })

  it('revokes tokens when a credential is deleted', async () => {
    expect((await call('delete', reference)).result).to.equal(true)
    expect(provider.asked.filter(({ path: asked }) => asked === '/token/revocation')).to.not.have.length(0)
    expect(await call('open', reference)).to.include({ error: 'credential_not_found' })
  })

  it('reaches no address of this machine for a user', async () => {
    let connections = 0
    const listener = createServer(() => {
      connections += 1
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    try {
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
        const client = { clientId: 'c', tokenUrl: `https://${host}:${port}/token`, deviceUrl: `https://${host}:${port}/device` }
        const request = { owner: { userId: admin.userId }, purpose: 'mail', label: 'Mine', userId: admin.userId, flow: 'device', client }
        expect(await call('beginSignIn', request), host).to.include({ error: 'sign_in_unavailable' })
      }
      expect(connections).to.equal(0)
    } finally {
      listener.close()
    }
  })

  it("stores no value in the clear, and erases a user's values with the account", async () => {
    const user = await signUp(kernel.url, 'grace')
    const own = { owner: { userId: user.userId }, id: 'mail' }
    await call('create', { ...own, purpose: 'mail', label: 'Mine', content: { kind: 'secret', fields: { password: canary } } })
    expect((await call('open', own)).result).to.deep.equal({ kind: 'secret', fields: { password: canary } })
    expect(await bytesBelow(path.join(folder, 'data')))
      .to.not.contain(canary)
      .and.not.contain(provider.clientSecret)
    expect(JSON.stringify(kernel.log)).to.not.contain(canary).and.not.contain(provider.clientSecret)
    await confirm(admin)
    expect((await admin.request('DELETE', `/api/admin/users/${user.userId}`)).status).to.equal(204)
    // The account goes first, what belongs to it afterwards.
    await until(
      () => call('get', own),
      ({ result }) => result === null,
    )
  })
})
