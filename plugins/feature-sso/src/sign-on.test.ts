import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { createIdentityProvider } from './provider/identity-provider.js'
import { createProviderConnection } from './provider/provider-connection.js'
import { checkReturnPath } from './sign-in/return-path.js'
import { type ScriptedProvider, startScriptedProvider } from './test-support/scripted-provider.js'
import { pageOf, readLogin, type StartedPlugin, startPlugin } from './test-support/start-plugin.js'

describe('a single sign-on', () => {
  let peer: ScriptedProvider
  let plugin: StartedPlugin

  beforeEach(async () => {
    peer = await startScriptedProvider()
    plugin = await startPlugin({ authority: peer.issuer, scopes: 'email  profile' })
  })
  afterEach(async () => {
    await plugin.dispose()
    await peer.close()
  })

  it('sends PKCE, state and nonce, and requests an ID token with any scopes: 10.2.1, 10.5.1', async () => {
    const { location, state, cookies } = readLogin(await plugin.login())
    const asked = Object.fromEntries(location.searchParams)
    expect(`${location.origin}${location.pathname}`).to.equal(`${peer.issuer}/authorize`)
    expect(asked).to.include({
      ...{ response_type: 'code', client_id: 'client', scope: 'openid email profile', code_challenge_method: 'S256' },
      redirect_uri: 'https://api.example/back/api/auth/sso/callback',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name], name).to.match(/^[\w-]{43}$/)
    expect(Object.keys(cookies)).to.deep.equal([state])
    const again = readLogin(await plugin.login())
    expect([again.state === state, again.nonce === asked['nonce']]).to.deep.equal([false, false])
  })

  const complete = async () => {
    const { state, nonce, cookies } = readLogin(await plugin.login())
    peer.nonce = nonce
    return plugin.callback({ state, code: 'code' }, cookies)
  }

  it('tells a person what was in the account that existed before, each time with the same key', async () => {
    await complete()
    expect(plugin.notifications.sent).to.deep.equal([])
    const beganAt = '2026-01-01T00:00:00.000Z'
    plugin.handOver = { beganAt, folder: 'before-2026-01-01-5f3a', items: [] }
    await complete()
    expect(plugin.notifications.sent, 'nothing was there').to.deep.equal([])
    plugin.handOver = {
      beganAt,
      folder: 'before-2026-01-01-5f3a',
      items: [
        { what: 'scheduled tasks, now paused', count: 2, outcome: 'ended' },
        { what: 'skills', count: 1, outcome: 'set_aside' },
        { what: 'chats', count: 3, outcome: 'kept' },
      ],
    }
    for (const _time of [1, 2]) expect((await complete()).status).to.equal(303)
    const [first, second] = plugin.notifications.sent
    expect(first?.key).to.equal(second?.key)
    expect(first).to.include({ kind: 'account.handed_over' })
    for (const part of ['Ended: scheduled tasks, now paused (2).', '“before-2026-01-01-5f3a” of your files: skills (1).', 'chats (3)'])
      expect(first?.text).to.include(part)
  })

  it('signs a person in who cannot be told now, and says so in the log', async () => {
    plugin.handOver = { beganAt: '2026-01-01T00:00:00.000Z', folder: 'before', items: [{ what: 'chats', count: 1, outcome: 'kept' }] }
    plugin.notifications.send = async () => Promise.reject(new Error('the database is full'))
    expect((await complete()).status).to.equal(303)
    expect(plugin.lines.map(({ message }) => message)).to.include('A person could not be told that their account existed before.')
  })

  it('limits its cookie to its own routes, as the browser sees them, and to ten minutes', async () => {
    const [cookie] = (await plugin.login()).cookies ?? []
    expect(cookie).to.include({ path: '/back/api/auth/sso', maxAgeSeconds: 600 })
  })

  it('completes only in the browser in which it began, once, and in time: 10.2.1', async () => {
    const first = readLogin(await plugin.login())
    peer.nonce = first.nonce
    const query = { state: first.state, code: 'code' }
    expect(pageOf(await plugin.callback(query)), 'no cookie').to.equal('400 sso_state_invalid')
    expect(pageOf(await plugin.callback({ code: 'code' }, first.cookies)), 'no state').to.equal('400 sso_state_invalid')
    const other = readLogin(await plugin.login())
    const swapped = { [first.state]: other.cookies[other.state] ?? '' }
    expect(pageOf(await plugin.callback(query, swapped)), 'the cookie of another one').to.equal('400 sso_state_invalid')
    expect(pageOf(await plugin.callback({ state: '__proto__', code: 'code' }, first.cookies))).to.equal('400 sso_state_invalid')
    const ended = await plugin.callback(query, first.cookies)
    expect([ended.status, ended.cookies]).to.deep.equal([
      303,
      [{ name: first.state, value: '', path: '/back/api/auth/sso', maxAgeSeconds: 0 }],
    ])
    expect(pageOf(await plugin.callback(query, first.cookies)), 'again').to.equal('400 sso_state_invalid')
    plugin.pass(600_001)
    expect(pageOf(await plugin.callback({ state: other.state, code: 'code' }, other.cookies)), 'late').to.equal('400 sso_state_invalid')
    expect(plugin.signedIn).to.have.length(1)
  })

  it('works in several tabs, up to a limit', async () => {
    let present: Record<string, string> = {}
    for (let count = 0; count < 7; count++) {
      const { cookies = [] } = await plugin.login({}, { cookies: present })
      for (const { name, value } of cookies) present = { ...present, [name]: value }
      present = Object.fromEntries(Object.entries(present).filter(([, value]) => value !== ''))
    }
    expect(Object.keys(present)).to.have.length(5)
    for (const state of Object.keys(present).slice(0, 2)) {
      const { nonce } = JSON.parse(JSON.parse(Buffer.from(present[state] ?? '', 'base64url').toString()).text) as { readonly nonce: string }
      peer.nonce = nonce
      expect((await plugin.callback({ state, code: 'code' }, present)).status).to.equal(303)
    }
  })

  it('passes on the address, the earlier session, and the set-up code', async () => {
    const { state, nonce, cookies } = readLogin(await plugin.login({ setup_code: 'abc', return_to: '/chats?x=1#y' }))
    peer.nonce = nonce
    const response = await plugin.callback({ state, code: 'code' }, cookies)
    expect(response.headers?.['location']).to.equal('https://pages.example/chats?x=1#y')
    expect(plugin.signedIn[0]?.options).to.deep.equal({
      origin: { address: '192.0.2.7', userAgent: 'browser', loopback: false },
      ...{ setupCode: 'abc', matchEmail: true, acceptUnverifiedEmail: true },
    })
  })

  it('shows a refusal of the kernel to a person as a page, and to a program as a problem', async () => {
    const refusal = new ServiceError({ code: 'registration_closed', status: 403, title: 'Closed <now>', message: 'Ask & wait.' })
    plugin.refusal = refusal
    const { state, nonce, cookies } = readLogin(await plugin.login())
    peer.nonce = nonce
    const response = await plugin.callback({ state, code: 'code' }, cookies)
    expect(pageOf(response)).to.equal('403 registration_closed')
    expect(response.kind === 'bytes' && Buffer.from(response.bytes).toString())
      .to.include('Closed &lt;now&gt;')
      .and.include('Ask &amp; wait.')
    const thrown = await plugin
      .login({ return_to: '//evil.example' }, { headers: { accept: 'application/json' } })
      .catch((error: unknown) => error)
    expect(ServiceError.isInstance(thrown) && [thrown.status, thrown.code]).to.deep.equal([400, 'return_to_invalid'])
  })

  it('causes a warning at the start if unverified addresses give access to accounts', async () => {
    expect(plugin.lines.map(({ level }) => level)).to.deep.equal(['warn'])
    const careful = await startPlugin({ authority: peer.issuer, allow_unknown_email_verification: false })
    expect(careful.lines).to.deep.equal([])
    await careful.dispose()
  })

  it('has no routes while it is disabled', async () => {
    const off = await startPlugin({ enabled: false })
    expect(off.routes).to.deep.equal([])
    await off.dispose()
  })
})

describe('a provider that cannot be reached', () => {
  let peer: ScriptedProvider
  beforeEach(async () => {
    peer = await startScriptedProvider()
  })
  afterEach(() => peer.close())

  it('is tried twice at the first sign-in, and again at the next one', async () => {
    const plugin = await startPlugin({ authority: peer.issuer })
    expect(peer.requests).to.deep.equal([])
    let left = 3
    peer.answer = (_request, response) => {
      if (left-- <= 0) return false
      response.writeHead(500).end('broken')
      return true
    }
    const failed = await plugin.login()
    expect([pageOf(failed), failed.headers?.['retry-after'], peer.requests.length]).to.deep.equal(['503 sso_unavailable', '5', 2])
    expect((await plugin.login()).status).to.equal(303)
    await plugin.dispose()
  })

  it('times out if it is slow, and concurrent sign-ins share the request', async () => {
    peer.answer = () => true
    const { signal } = new AbortController()
    const clock = { now: () => 0, monotonic: () => 0, after: () => () => undefined, wait: async () => undefined }
    const quiet = () => undefined
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log }
    const client = { authority: peer.issuer, clientId: 'client', clientSecret: undefined }
    const connection = createProviderConnection({ ...client, clock, signal, timeoutSeconds: 0.2 })
    const worked = { get: async () => undefined, remember: async () => undefined }
    const provider = createIdentityProvider({
      ...{ ...client, connection, worked, method: undefined, scopes: 'openid', callbackUrl: () => 'http://localhost/', log, signal },
    })
    const url = () => provider.authorizationUrl('state', { nonce: 'nonce', codeVerifier: 'verifier' }, { reauthenticate: false })
    const outcomes = await Promise.allSettled([url(), url(), url()])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { readonly code?: string }).code)).to.deep.equal(
      Array(3).fill('sso_unavailable'),
    )
    expect(peer.requests).to.have.length(1)
  })

  it('includes one that names addresses that are not allowed', async () => {
    for (const metadata of [
      { authorization_endpoint: 'http://192.0.2.1/authorize' },
      { token_endpoint: undefined, authorization_endpoint: undefined },
    ]) {
      const plugin = await startPlugin({ authority: peer.issuer })
      peer.metadata = metadata
      expect([metadata, pageOf(await plugin.login())]).to.deep.equal([metadata, '503 sso_unavailable'])
      await plugin.dispose()
    }
  })
})

describe('the path to return to', () => {
  it('is normalized within this origin', () => {
    for (const [text, path] of [
      ['/', '/'],
      ['/chats/1?x=//a#b', '/chats/1?x=//a#b'],
      ['/a/../b', '/b'],
      ['/ä b', '/%C3%A4%20b'],
      ['/a//b', '/a//b'],
    ] as const)
      expect(checkReturnPath(text)).to.equal(path)
  })

  it('stays on the origin of the pages for any input, as browsers parse it: 3.7.2', () => {
    const piece = fc.constantFrom('/', '\\', '.', '..', '//', '@', ':', '?', '#', '%2f', '%5c', '\t', ' ', 'evil.example', 'a', 'http')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.string(), (pieces, rest) => {
        const text = `/${pieces.join('')}${rest}`
        let path: string
        try {
          path = checkReturnPath(text)
        } catch (error) {
          if (ServiceError.isInstance(error)) return
          throw error
        }
        for (const base of ['https://pages.example', 'https://pages.example/house'])
          expect(new URL(`${base}${path}`).origin).to.equal('https://pages.example')
        expect(new URL(path, 'https://pages.example').origin).to.equal('https://pages.example')
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses everything else: 3.7.2, no open redirect', () => {
    for (const text of [
      ...['', 'chats', 'https://evil.example/', '//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/a\\b'],
      ...[
        '/\t/evil.example',
        '/\n/evil.example',
        '/.//evil.example',
        '/a/..//evil.example',
        ' /a',
        'javascript:alert(1)',
        '/\u0000',
        '/\ud800',
      ],
      `/${'a'.repeat(1_000)}`,
    ])
      expect(() => checkReturnPath(text), JSON.stringify(text))
        .to.throw()
        .with.property('code', 'return_to_invalid')
  })
})
