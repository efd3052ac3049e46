import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CredentialSummary, SignIn, SignInRequest } from '@agent-service/sdk/services/credentials'
import { expect } from 'chai'
import { createPostForm } from '../server/post-form.js'
import { client, errorOf, openService, owner } from '../test-support/open-service.js'

const { signal } = new AbortController()
const request: SignInRequest = { owner, purpose: 'mail', label: 'Mine', details: { host: 'h' }, client, flow: 'code', userId: 'user-1' }
const codeAnswer = { device_code: 'd', user_code: 'U', verification_uri: 'https://vendor.test', expires_in: 600, interval: 5 }
const tokenAnswer = { access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_in: 3_600 }

function openSignIns(options: { readonly still?: boolean } = {}) {
  const service = openService({
    ...options,
    postForm: async ({ url }) => ({ kind: 'answer', body: url.endsWith('/device') ? codeAnswer : tokenAnswer }),
  })
  const credentials = service.of('plugin-a')
  const completed: CredentialSummary[] = []
  const begin = (changes: Partial<SignInRequest> = {}): Promise<SignIn> =>
    credentials.beginSignIn({ ...request, ...changes }, { signal, completed: async (credential) => void completed.push(credential) })
  const ended = async (id: string): Promise<SignIn> => {
    for (;;) {
      const view = credentials.getSignIn(id, 'user-1')
      if (view?.state !== 'pending') return view as SignIn
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { ...service, credentials, completed, begin, ended }
}

const parametersOf = (view: SignIn): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(view.authorizationUrl ?? '').searchParams)

describe('sign-ins', () => {
  it('in the browser expire without a redirect', async () => {
    const { begin, ended } = openSignIns()
    expect(await ended((await begin()).id)).to.include({ state: 'failed', reason: 'expired' })
  })

  it('in the browser send extra parameters, and are completed by their state, once', async () => {
    const { begin, credentials, completed, signIns } = openSignIns({ still: true })
    const begun = await begin({
      client: { ...client, scopes: ['read'], resource: 'https://mcp.test', parameters: { hint: 'x', state: 'y' } },
    })
    const parameters = parametersOf(begun)
    expect(parameters).to.include({
      ...{ tenant: '1', hint: 'x', scope: 'read', resource: 'https://mcp.test', response_type: 'code', client_id: 'client' },
      ...{ redirect_uri: 'http://service.test/callback', code_challenge_method: 'S256' },
    })
    expect(parameters['code_challenge']).to.match(/^[A-Za-z0-9_-]{43}$/)
    const back = { code: 'c', state: parameters['state'] ?? '' }
    for (const [redirect, by] of [
      [{ code: 'c' }, { userId: 'user-1' }],
      [{ code: 'c', state: 'y' }, { userId: 'user-1' }],
      [back, { userId: 'user-2' }],
      [back, { userId: 'user-1', id: 'other' }],
    ] as const)
      expect(await errorOf(credentials.completeSignIn(redirect, by))).to.include({ code: 'sign_in_state_invalid' })
    const view = await credentials.completeSignIn(back, { userId: 'user-1' })
    expect(view).to.deep.include({ state: 'completed', id: begun.id, details: { host: 'h' } })
    expect(completed).to.have.length(1)
    expect(completed[0]).to.deep.include({ id: view.credentialId, label: 'Mine', details: { host: 'h' }, kind: 'oauth', owner })
    expect(await errorOf(credentials.completeSignIn(back, { userId: 'user-1' }))).to.include({ code: 'sign_in_state_invalid' })
    await signIns.close()
  })

  it('are visible only to their person through their plugin', async () => {
    const { begin, credentials, of, signIns } = openSignIns({ still: true })
    const begun = await begin()
    expect(credentials.getSignIn(begun.id, 'user-2')).to.equal(undefined)
    expect(credentials.cancelSignIn(begun.id, 'user-2')).to.equal(undefined)
    const foreign = of('plugin-b')
    expect(foreign.getSignIn(begun.id, 'user-1')).to.equal(undefined)
    expect(foreign.cancelSignIn(begun.id, 'user-1')).to.equal(undefined)
    const redirect = { code: 'c', state: parametersOf(begun)['state'] ?? '' }
    expect(await errorOf(foreign.completeSignIn(redirect, { userId: 'user-1' }))).to.include({ code: 'sign_in_state_invalid' })
    // The callback of the service serves every plugin.
    expect(await signIns.complete(redirect, { userId: 'user-1' })).to.include({ state: 'completed' })
    await signIns.close()
  })

  it('with OpenID Connect send a nonce and require it in the ID token', async () => {
    const { begin, credentials, signIns } = openSignIns({ still: true })
    const oidc = { ...client, issuer: 'https://vendor.test', scopes: ['openid'] }
    const begun = await begin({ client: oidc })
    const { state = '', nonce = '' } = parametersOf(begun)
    expect(nonce).to.have.length(43)
    expect(await credentials.completeSignIn({ code: 'c', state }, { userId: 'user-1' })).to.include({
      ...{ state: 'failed', reason: 'refused', detail: 'the server returned no ID token' },
    })
    const { state: other = '' } = parametersOf(await begin({ client: oidc }))
    expect(await credentials.completeSignIn({ code: 'c', state: other, iss: 'https://evil.test' }, { userId: 'user-1' })).to.include({
      ...{ state: 'failed', reason: 'refused', detail: 'another server responded (https://evil.test) than https://vendor.test' },
    })
    expect((await credentials.list({ owner })).items).to.deep.equal([])
    await signIns.close()
  })

  it('again store new tokens in the same credential, and fail if it was deleted', async () => {
    const { begin, credentials, signIns } = openSignIns({ still: true })
    const { id } = await credentials.create({ ...request, content: { kind: 'oauth', tokens: { accessToken: 'old' } } })
    const begun = await begin({ again: id, label: 'Other' })
    expect(begun).to.include({ credentialId: id })
    await credentials.completeSignIn({ code: 'c', state: parametersOf(begun)['state'] ?? '' }, { userId: 'user-1' })
    expect(await credentials.open({ owner, id }, { signal })).to.include({ accessToken: 'access-token-1' })
    expect(await credentials.get({ owner, id })).to.include({ label: 'Mine' })
    expect(await errorOf(begin({ again: 'gone' }))).to.include({ code: 'credential_not_found' })
    expect(await errorOf(begin({ id }))).to.include({ code: 'credential_exists' })
    await signIns.close()
  })

  it('fail when their tokens cannot be stored, with a log message', async () => {
    const { begin, ended, database, log } = openSignIns()
    const begun = await begin({ flow: 'device' })
    database.refuse = new Error('the disk is full')
    expect(await ended(begun.id)).to.include({ state: 'failed', reason: 'unavailable' })
    expect(log.lines.join()).to.contain('A sign-in failed.').and.not.contain('access-token-1')
  })

  it('can be read for a while after their end', async () => {
    const { begin, ended, credentials, clock } = openSignIns()
    const { id } = await begin({ flow: 'device' })
    expect(await ended(id)).to.include({ state: 'completed' })
    await clock.wait(14 * 60_000, { signal })
    expect(credentials.getSignIn(id, 'user-1')).to.include({ state: 'completed' })
    await clock.wait(2 * 60_000, { signal })
    expect(credentials.getSignIn(id, 'user-1')).to.equal(undefined)
  })

  it('are limited per person, and are cancelled together', async () => {
    const { begin, credentials, signIns, log } = openSignIns({ still: true })
    const begun = await Promise.all(Array.from({ length: 20 }, (_, index) => begin({ flow: index % 2 === 0 ? 'device' : 'code' })))
    expect(await errorOf(begin())).to.include({ code: 'sign_ins_too_many' })
    expect(await begin({ userId: 'user-2' })).to.include({ state: 'pending' })
    await signIns.close()
    for (const { id } of begun) expect(credentials.getSignIn(id, 'user-1')).to.include({ state: 'cancelled' })
    expect(log.lines).to.deep.equal([])
  })

  it('cannot begin if the server has no endpoint for them', async () => {
    const { begin } = openSignIns()
    const { authorizationUrl: _page, deviceUrl: _codes, ...bare } = client
    for (const flow of ['code', 'device'] as const) {
      const error = await errorOf(begin({ client: bare, flow }))
      expect(error).to.include({ code: 'sign_in_unavailable' })
      expect(error.message).to.contain('vendor.test')
    }
    expect(await errorOf(begin({ client: { ...client, authorizationUrl: 'javascript:alert(1)' } }))).to.include({
      code: 'credential_invalid',
    })
  })
})

describe('a sign-in with a code at a server on this machine', () => {
  let server: Server
  let url: string
  const forms: Record<string, string>[] = []
  let answers: (readonly [status: number, body: object])[] = []

  before(async () => {
    server = createServer(async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming) text += String(chunk)
      forms.push(Object.fromEntries(new URLSearchParams(text)))
      const [status, body] =
        incoming.url === '/device'
          ? [200, { ...codeAnswer, verification_uri: `${url}/enter`, interval: 1 }]
          : (answers.shift() ?? [500, {}])
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('polls at the interval of the server, slows down on request, and creates a credential', async () => {
    answers = [
      [400, { error: 'authorization_pending' }],
      [400, { error: 'slow_down' }],
      [503, {}],
      [200, tokenAnswer],
    ]
    const service = openService({ postForm: createPostForm({ user: () => Promise.reject(new Error('No way out.')) }) })
    const credentials = service.of('plugin-a')
    const made = new Promise<CredentialSummary>((resolve) => {
      void credentials.beginSignIn(
        {
          ...request,
          owner: 'deployment',
          flow: 'device',
          client: { clientId: 'me', tokenUrl: `${url}/token`, deviceUrl: `${url}/device` },
        },
        { signal, completed: async (credential) => resolve(credential) },
      )
    })
    const { id } = await made
    expect(service.clock.waits).to.deep.equal([1_000, 1_000, 6_000, 12_000])
    expect(forms.map((form) => form['grant_type'])).to.deep.equal([
      undefined,
      ...Array(4).fill('urn:ietf:params:oauth:grant-type:device_code'),
    ])
    expect(await credentials.open({ owner: 'deployment', id }, { signal })).to.include({ accessToken: 'access-token-1' })
  })
})
