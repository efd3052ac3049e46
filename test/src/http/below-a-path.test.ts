import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type MailPeer, startMailPeer } from '../notifications/support/mail-peer.js'
import { createBrowser } from '../sso/support/browser.js'
import { type IdentityProviderPeer, startIdentityProvider } from '../sso/support/identity-provider.js'
import { signUp } from '../support/api.js'
import { type PathProxy, startPathProxy } from '../support/path-proxy.js'

const password = 'a long enough password'
const refreshOf = (cookie: string) => /^refresh_token=([^;]*); .*Path=([^;]+);/.exec(cookie)?.slice(1) ?? []

describe('services below paths of one host', function () {
  this.timeout(60_000)
  let proxy: PathProxy
  let one: TestKernel
  let two: TestKernel
  const at = (path: string): string => `${proxy.origin}${path}`

  before(async () => {
    proxy = await startPathProxy()
    one = await createTestKernel({ environment: { SERVICE_SERVER_BASE_URL: at('/one'), SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
    two = await createTestKernel({
      environment: { SERVICE_SERVER_BASE_URL: at('/two/agents/'), SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' },
    })
    proxy.serve('/one', { url: one.url, removesPath: true })
    proxy.serve('/two/agents', { url: two.url, removesPath: false })
  })
  after(async () => {
    await one?.stop()
    await two?.stop()
    await proxy?.close()
  })

  it('neither share nor replace each other’s sessions', async () => {
    const browser = createBrowser()
    for (const [kernel, path] of [
      [one, '/one'],
      [two, '/two/agents'],
    ] as const) {
      const setup_code = String(await kernel.auth.pendingSetupCode())
      const made = await browser.call('POST', at(`${path}/api/auth/register`), { username: 'ada', password, setup_code })
      expect([made.status, refreshOf(made.headers.getSetCookie()[0] ?? '')[1]]).to.deep.equal([201, path])
    }
    expect(browser.cookies(at('/'))).to.deep.equal({})
    expect(browser.cookies(at('/one2/api'))).to.deep.equal({})
    const signedIn = async (path: string) =>
      ((await (await browser.call('GET', at(`${path}/api/auth/config`))).json()) as { signed_in: boolean }).signed_in
    expect([await signedIn('/one'), await signedIn('/two/agents')]).to.deep.equal([true, true])
    const out = await browser.call('POST', at('/one/api/auth/logout'))
    expect([out.status, out.headers.getSetCookie()[0]]).to.satisfy(
      ([status, cookie]: [number, string]) => status === 204 && /Max-Age=0; Path=\/one;/.test(cookie),
    )
    expect([await signedIn('/one'), await signedIn('/two/agents')]).to.deep.equal([false, true])
  })

  it('take the cookie of their path before one of the whole host', async () => {
    const login = await fetch(at('/one/api/auth/login'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password }),
    })
    const [token] = refreshOf(login.headers.getSetCookie()[0] ?? '')
    const answer = await fetch(at('/one/api/auth/config'), {
      headers: { cookie: `refresh_token=${token}; refresh_token=of-another-service` },
    })
    expect(((await answer.json()) as { signed_in: boolean }).signed_in).to.equal(true)
  })

  it('serve their page with the addresses below the path, and revalidate it', async () => {
    for (const path of ['/one', '/two/agents'])
      for (const target of ['', '/', '/chats/some-chat', '?a=b']) {
        const page = await fetch(at(`${path}${target}`), { headers: { accept: 'text/html' }, redirect: 'manual' })
        const text = await page.text()
        expect([page.status, page.headers.get('content-security-policy')?.includes("script-src 'self'")], target).to.deep.equal([200, true])
        const addresses = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
        expect(addresses.length).to.be.above(4)
        for (const address of addresses) {
          expect(address).to.match(new RegExp(`^${path}/`))
          expect((await fetch(at(address))).status, address).to.equal(200)
        }
        const again = await fetch(at(`${path}${target}`), {
          headers: { accept: 'text/html', 'if-none-match': page.headers.get('etag') ?? '' },
        })
        expect(again.status).to.equal(304)
      }
  })

  it('give out addresses below the path that work: files, uploads and shares', async () => {
    const ada = await signUp(at('/two/agents'), 'ada', password)
    const authorization = `Bearer ${ada.token}`
    const body = 'a text below the path'
    const put = await fetch(at('/two/agents/api/files/content?path=files%2Fnote.txt'), { method: 'PUT', headers: { authorization }, body })
    expect(put.status).to.equal(201)
    const presigned = await ada.request('POST', '/api/files/presign', { path: 'files/note.txt', method: 'GET' })
    expect(presigned.body['url']).to.match(new RegExp(`^${at('/two/agents/api/files/content')}\\?`))
    expect(await (await fetch(String(presigned.body['url']))).text()).to.equal(body)
    const share = await ada.request('POST', '/api/shares', { path: 'files/note.txt' })
    expect(share.body['page_url']).to.match(new RegExp(`^${at('/two/agents/p/')}`))
    expect(await (await fetch(String(share.body['page_url']))).text()).to.contain(body)
    expect(await (await fetch(String(share.body['content_url']))).text()).to.equal(body)
    const begun = await fetch(at('/two/agents/api/files/uploads'), {
      method: 'POST',
      headers: {
        authorization,
        'tus-resumable': '1.0.0',
        'upload-length': '3',
        'upload-metadata': `path ${Buffer.from('files/piece.txt').toString('base64')}`,
      },
    })
    const upload = new URL(begun.headers.get('location') ?? '', begun.url)
    expect(upload.href).to.match(new RegExp(`^${at('/two/agents/api/files/uploads/')}\\w+$`))
    const head = await fetch(upload, { method: 'HEAD', headers: { authorization, 'tus-resumable': '1.0.0' } })
    expect([head.status, head.headers.get('upload-offset')]).to.deep.equal([200, '0'])
  })

  it('describe their API for where it is, also without the proxy', async () => {
    for (const address of [at('/one'), at('/two/agents'), one.url, `${two.url}/two/agents`]) {
      const description = await fetch(`${address}/api/openapi.json`)
      const { servers } = (await description.json()) as { readonly servers: readonly { readonly url: string }[] }
      const found = new URL(servers[0]?.url ?? '', description.url).href.replace(/\/$/, '')
      expect((await fetch(`${found}/api/auth/config`)).status, found).to.equal(200)
    }
  })

  it('answer the command line at an address with a path', async () => {
    const environment = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: password }
    for (const url of [at('/one'), at('/two/agents/')]) {
      const { status, output } = await runCommandLine(['tokens', 'list', '--url', url], { workingDirectory: one.folder, environment })
      expect(status, output).to.equal(0)
    }
  })

  it('stay reachable without the proxy, with and without the path', async () => {
    for (const path of ['', '/one']) expect((await fetch(`${one.url}${path}/api/version`)).status).to.equal(200)
    expect((await fetch(`${one.url}/two/api/version`)).status).to.equal(404)
  })
})

describe('single sign-on and e-mail below a path', function () {
  this.timeout(60_000)
  let proxy: PathProxy
  let peer: IdentityProviderPeer
  let mails: MailPeer
  let kernel: TestKernel
  const at = (path: string): string => `${proxy.origin}${path}`

  before(async () => {
    proxy = await startPathProxy()
    peer = await startIdentityProvider()
    mails = await startMailPeer()
    kernel = await createTestKernel({
      environment: {
        ...{
          SERVICE_SERVER_BASE_URL: at('/org/back'),
          SERVICE_SERVER_FRONTEND_URL: at('/org/ui'),
          SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1',
        },
        ...{ SERVICE_SSO_ENABLED: 'true', SERVICE_SSO_AUTHORITY: peer.authority, SERVICE_SSO_SCOPES: 'openid email profile' },
        ...{ SERVICE_SSO_CLIENT_ID: peer.clientId, SERVICE_SSO_CLIENT_SECRET: peer.clientSecret },
        ...{ SERVICE_MAIL_HOST: '127.0.0.1', SERVICE_MAIL_PORT: String(mails.port), SERVICE_MAIL_SECURITY: 'none' },
        SERVICE_MAIL_FROM: 'Agent Service <agents@example.org>',
      },
    })
    for (const path of ['/org/back', '/org/ui']) proxy.serve(path, { url: kernel.url, removesPath: true })
    peer.serve(at('/org/back/api/auth/sso/callback'))
    peer.people.set('ada', { email: 'ada@example.org', email_verified: true, preferred_username: 'ada' })
  })
  after(async () => {
    await kernel?.stop()
    await peer?.close()
    await mails?.close()
    await proxy?.close()
  })

  const browser = createBrowser()
  /** Without those of the provider, which has the same host. */
  const ownCookies = (path: string): readonly string[] => Object.keys(browser.cookies(at(path))).filter((name) => !name.startsWith('_'))

  it('leads back to the page that was asked for, with cookies for these paths alone', async () => {
    const query = new URLSearchParams({ return_to: '/chats?open=1', setup_code: String(await kernel.auth.pendingSetupCode()) })
    const page = await browser.open(at(`/org/ui/api/auth/sso/login?${query.toString()}`))
    const end = await browser.submit(page, { subject: 'ada' })
    expect([end.status, end.url.href]).to.deep.equal([200, at('/org/ui/chats?open=1')])
    expect(end.way.filter((address) => address.startsWith(proxy.origin)).map((address) => new URL(address).pathname)).to.deep.equal([
      '/org/back/api/auth/sso/callback',
      '/org/ui/chats',
    ])
    for (const path of ['/org/ui/api/auth/me', '/org/back/api/auth/me']) {
      expect(ownCookies(path)).to.deep.equal(['refresh_token'])
      expect((await browser.call('GET', at(path))).status).to.equal(200)
    }
    for (const path of ['/', '/other', '/organisation/api']) expect(ownCookies(path)).to.deep.equal([])
  })

  it('says on a page why not, and leads to the start below the path', async () => {
    const { status, text } = await createBrowser().open(at('/org/back/api/auth/sso/callback?state=unknown&code=x'))
    expect(status).to.equal(400)
    expect(text).to.contain(`href="${at('/org/ui/')}"`)
  })

  it('has links in e-mails below the path', async () => {
    expect((await browser.call('POST', at('/org/ui/api/admin/mail/test'))).status).to.equal(200)
    await mails.until(1)
    expect(mails.mails[0]?.source).to.contain(`Open: ${at('/org/ui/')}`)
  })
})
