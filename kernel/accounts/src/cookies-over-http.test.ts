import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { type AuthUnderTest, openAuthUnderTest } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

const site = 'https://agents.example.org'
const pages = 'https://pages.example.net'

describe('the refresh cookie over HTTP', () => {
  let auth: AuthUnderTest
  let server: AuthServer
  let cookie: string

  const send = (path: string, headers: Readonly<Record<string, string>>, body?: unknown, method = 'POST') =>
    server.fetch(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  /** Lets the requests of the next step pass the limit of account routes. */
  const pause = () => auth.clock.advance(60_000)
  const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { readonly code: string }).code

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    server = await startAuthServer(auth, auth.routes, { base_url: site, frontend_url: pages, cors_origins: 'https://app.example.com' })
    const registered = await send(
      '/api/auth/register',
      {},
      {
        ...{ username: 'ada', password: 'correct horse' },
        setup_code: String(await auth.pendingSetupCode()),
      },
    )
    cookie = (registered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  })
  afterEach(async () => {
    await server.close()
    expect(server.answerCheck.violations).to.deep.equal([])
    await endTestStores()
  })

  it('stands for its owner on API requests, without being replaced', async () => {
    const answer = await send('/api/auth/me', { cookie }, undefined, 'GET')
    expect([answer.status, answer.headers.get('set-cookie')]).to.deep.equal([200, null])
    expect((await send('/api/auth/me', { cookie }, { name: 'Ada' }, 'PATCH')).status).to.equal(200)
  })

  it('14.2.1 is no credential in a query', async () => {
    const token = cookie.split('=')[1] ?? ''
    expect((await send(`/api/auth/me?token=${token}`, {}, undefined, 'GET')).status).to.equal(401)
  })

  for (const [what, headers, passes] of [
    ['neither header', {}, true],
    ['the same origin, as the browser says', { 'sec-fetch-site': 'same-origin' }, true],
    ['the address bar', { 'sec-fetch-site': 'none' }, true],
    ['the own address', { origin: site }, true],
    ['the pages’ address', { origin: pages }, true],
    ['a listed origin', { origin: 'https://app.example.com' }, true],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }, false],
    ['another site', { origin: 'https://evil.example' }, false],
    ['a site that begins alike', { origin: `${site}.evil.example` }, false],
    ['the own host by another scheme', { origin: 'http://agents.example.org' }, false],
    ['an origin that is hidden', { origin: 'null' }, false],
    ['no origin at all', { origin: '' }, false],
  ] as const) {
    it(`3.5.1 changes ${passes ? 'what it may' : 'nothing'} for ${what}`, async () => {
      for (const [method, path, body] of [
        ['PATCH', '/api/auth/me', { name: 'Eve' }],
        ['POST', '/api/auth/refresh', undefined],
        ['POST', '/api/auth/logout', undefined],
      ] as const) {
        const answer = await send(path, { cookie, ...headers }, body, method)
        if (passes) expect(answer.status, path).to.be.lessThan(300)
        else expect([path, answer.status, await codeOf(answer)]).to.deep.equal([path, 403, 'cross_site_request'])
        cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      }
    })
  }

  it('does not let another site change anything with a stale one either', async () => {
    const stale = cookie
    await send('/api/auth/refresh', { cookie })
    await auth.clock.advance(11_000)
    const answer = await send('/api/auth/refresh', { cookie: stale, origin: 'https://evil.example' })
    expect([answer.status, await codeOf(answer)]).to.deep.equal([403, 'cross_site_request'])
  })

  it('says that it was used twice, also while the one before it still counts elsewhere', async () => {
    await send('/api/auth/refresh', { cookie })
    const answer = await send('/api/auth/refresh', { cookie, 'user-agent': 'another browser' })
    expect([answer.status, await codeOf(answer)]).to.deep.equal([401, 'refresh_reused'])
  })

  it('lets a bearer decide alone, from wherever it comes', async () => {
    const { access_token: token } = (await (await send('/api/auth/refresh', { cookie })).json()) as { readonly access_token: string }
    const foreign = { cookie, origin: 'https://evil.example' }
    expect((await send('/api/auth/me', { ...foreign, authorization: `Bearer ${token}` }, { name: 'Ada' }, 'PATCH')).status).to.equal(200)
    expect((await send('/api/auth/me', { ...foreign, authorization: 'Bearer nonsense' }, { name: 'Ada' }, 'PATCH')).status).to.equal(401)
  })

  for (const scheme of ['Basic YWRhOnB3', 'Digest username="ada", uri="/api/auth/me"', 'Negotiate YIIg', 'NTLM TlRM', 'basic', '']) {
    it(`counts beside “${scheme}”, which is meant for a proxy, and is held to its rules`, async () => {
      const headers = { cookie, authorization: scheme }
      expect((await send('/api/auth/me', headers, undefined, 'GET')).status).to.equal(200)
      expect((await send('/api/auth/me', headers, { name: 'Ada' }, 'PATCH')).status).to.equal(200)
      for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])
        for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
          const answer = await send(path, { ...headers, ...foreign })
          expect([path, answer.status, await codeOf(answer)]).to.deep.equal([path, 403, 'cross_site_request'])
        }
      await pause()
      const refreshed = await send('/api/auth/refresh', headers)
      expect(refreshed.status).to.equal(200)
      const without = await send('/api/auth/me', { authorization: scheme }, undefined, 'GET')
      expect([without.status, without.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer'])
      expect(await without.text()).to.contain('Basic, count for nothing')
    })
  }

  it('is held to its rules beside a Digest that repeats what a page of another site chose', async () => {
    for (const authorization of [
      'Digest username="ada", uri="/api/auth/logout?a=,bearer,b", response="1"',
      'Digest username="ada, Bearer ada", uri="/api/auth/logout"',
      'Digest username="a\\", bearer x, \\"", uri="/"',
      'Digest username="a, bearer, b',
    ]) {
      const answer = await send('/api/auth/logout', { cookie, authorization, origin: 'https://evil.example' })
      expect([answer.status, await codeOf(answer)], authorization).to.deep.equal([403, 'cross_site_request'])
      expect((await send('/api/auth/me', { cookie, authorization }, undefined, 'GET')).status, authorization).to.equal(200)
    }
  })

  it('does not count beside a bearer that is wrong, wherever that stands', async () => {
    for (const authorization of [
      ...['Bearer wrong', 'bearer wrong', 'BEARER', 'Bearer', 'Bearer a b', 'Bearer a, Bearer b'],
      ...['Basic YWRhOnB3, Bearer wrong', 'Bearer wrong, Basic YWRhOnB3', 'Basic YWRhOnB3,bearer'],
    ])
      expect((await send('/api/auth/me', { cookie, authorization }, undefined, 'GET')).status, authorization).to.equal(401)
    await pause()
    const { access_token: token } = (await (await send('/api/auth/refresh', { cookie })).json()) as { readonly access_token: string }
    for (const authorization of [`Basic YWRhOnB3, Bearer ${token}`, `Bearer ${token}, Basic YWRhOnB3`, `bearer   ${token}`])
      expect((await send('/api/auth/me', { authorization }, undefined, 'GET')).status, authorization).to.equal(200)
    const headers = new Headers({ authorization: `Bearer ${token}` })
    headers.append('authorization', 'Bearer another')
    expect((await server.fetch('/api/auth/me', { headers })).status).to.equal(401)
  })

  it('stays with the admin who creates an account for somebody', async () => {
    const { access_token: token } = (await (await send('/api/auth/refresh', { cookie })).json()) as { readonly access_token: string }
    const body = { username: 'bob', password: 'correct horse' }
    const answer = await send('/api/auth/register', { authorization: `Bearer ${token}` }, body)
    expect([answer.status, answer.headers.get('set-cookie')]).to.deep.equal([201, null])
  })

  it('reaches no log and no error', async () => {
    const proof = cookie.split('.')[2] ?? 'nothing'
    await send('/api/auth/refresh', { cookie, origin: 'https://evil.example' })
    await send('/api/auth/refresh', { cookie })
    expect(JSON.stringify(auth.log.lines)).to.not.contain(proof)
  })
})
