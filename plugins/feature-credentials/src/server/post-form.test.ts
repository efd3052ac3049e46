import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpResponseTooLargeError } from '@agent-service/sdk/services/http-client'
import { expect } from 'chai'
import { createGuardedFetch } from './guarded-fetch.js'
import { createPostForm, type FetchServer, type FormRequest, type ServerResponse } from './post-form.js'
import { readTokens } from './read-tokens.js'

const { signal } = new AbortController()
const client = { clientId: 'me' }
const closed: FetchServer = () => Promise.reject(new Error('No way out.'))

/** Posts as a public client for the deployment, by default. */
const postForm = (
  url: string,
  form: Record<string, string> = {},
  more: Partial<FormRequest> = {},
  stop = signal,
): Promise<ServerResponse> => createPostForm({ user: closed })({ url, form, client, owner: 'deployment', ...more }, { signal: stop })

describe('an authorization server', () => {
  let server: Server
  let url: string
  let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | 'hang'
  let decide: (() => { readonly status: number; readonly body: string }) | undefined
  let seen = ''
  let authorization: string | undefined

  before(async () => {
    server = createServer((request, response) => {
      seen = ''
      authorization = request.headers.authorization
      request.on('data', (chunk: Buffer) => {
        seen += chunk.toString('utf8')
      })
      request.on('end', () => {
        const decided = decide?.()
        if (decided) response.writeHead(decided.status).end(decided.body)
        else if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('receives a form and returns JSON', async () => {
    answer = { status: 200, body: '{"access_token":"x"}' }
    expect(await postForm(url, { code: 'a b&c' })).to.deep.equal({
      kind: 'answer',
      body: { access_token: 'x' },
    })
    expect(seen).to.equal('code=a+b%26c&client_id=me')
  })

  it('receives the client authentication that is configured', async () => {
    answer = { status: 200, body: '{}' }
    await postForm(url, {}, { client: { clientId: 'me:1', clientSecret: 'a secret/ü' } })
    expect(seen).to.equal('')
    const [name, secret] = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString('utf8')
      .split(':')
    expect([name, secret]).to.deep.equal(['me%3A1', 'a%20secret%2F%C3%BC'])
    await postForm(url, {}, { client: { clientId: 'me', clientSecret: 's', authentication: 'client_secret_post' } })
    expect({ seen, authorization }).to.deep.equal({ seen: 'client_id=me&client_secret=s', authorization: undefined })
  })

  it('is tried with its other methods if it refuses the client, and with the one that worked from then on', async () => {
    const house = { clientId: 'house-web.app', clientSecret: 'Q~a.b_c-1+/%$' }
    const asking = createPostForm({ user: closed })
    const ask = (more: object = {}) => asking({ url, form: { code: 'c' }, client: { ...house, ...more }, owner: 'deployment' }, { signal })
    const plainBasic = `Basic ${Buffer.from('house-web.app:Q~a.b_c-1+/%$').toString('base64')}`
    const seenMethods: string[] = []
    decide = () => {
      const isPost = seen.includes('client_secret=')
      seenMethods.push(isPost ? 'post' : authorization === plainBasic ? 'plain' : 'basic')
      return seenMethods.at(-1) === accepted ? { status: 200, body: '{"access_token":"x"}' } : refusal
    }
    let accepted = 'post'
    let refusal = { status: 401, body: '{"error":"invalid_client"}' }
    try {
      expect(await ask()).to.include({ kind: 'answer' })
      expect(await ask()).to.include({ kind: 'answer' })
      expect(seenMethods).to.deep.equal(['basic', 'post', 'post'])
      accepted = 'plain'
      expect(await ask({ authentication: 'client_secret_basic' })).to.include({ kind: 'answer' })
      expect(await ask({ authentication: 'client_secret_post' })).to.include({ kind: 'refused', code: 'invalid_client' })
      accepted = 'none'
      refusal = { status: 400, body: '{"error":"invalid_grant"}' }
      seenMethods.length = 0
      expect(await ask()).to.include({ kind: 'refused', code: 'invalid_grant' })
      expect(seenMethods, 'a refused grant is not tried again').to.have.length(1)
    } finally {
      decide = undefined
    }
  })

  for (const body of ['', '<html>Unauthorized</html>'])
    it(`is tried with its other methods if it refuses the client with ${body === '' ? 'nothing' : 'a page'}`, async () => {
      decide = () => (seen.includes('client_secret=s') ? { status: 200, body: '{"access_token":"x"}' } : { status: 401, body })
      const house = { clientId: 'me', clientSecret: 's' }
      expect(await postForm(url, {}, { client: house })).to.deep.equal({ kind: 'answer', body: { access_token: 'x' } })
      decide = () => ({ status: 401, body })
      expect(await postForm(url, {}, { client: house })).to.include({ kind: 'unavailable', reason: 'it responded with 401' })
      decide = undefined
    })

  it('chosen by a user is reached only through the guarded client', async () => {
    const requests: object[] = []
    const guarded = createGuardedFetch({
      async request(request) {
        requests.push(request)
        if (requests.length > 1) throw httpResponseTooLargeError.create({ host: 'vendor.test', reason: 'much' })
        return { status: 200, headers: {}, url: request.url, redirects: 0, body: Buffer.from('{"a":1}') }
      },
    })
    const asking = createPostForm({ user: guarded, deployment: closed })
    const question = { url: 'https://vendor.test/token', form: { a: 'b' }, client, owner: { userId: 'u' } }
    expect(await asking(question, { signal })).to.deep.equal({ kind: 'answer', body: { a: 1 } })
    expect(requests[0]).to.deep.include({
      ...{
        url: 'https://vendor.test/token',
        method: 'POST',
        body: 'a=b&client_id=me',
        redirect: 'return',
        limits: { maxBodyBytes: 65_536 },
      },
    })
    expect(await asking(question, { signal })).to.deep.equal({ kind: 'unavailable', reason: 'its response has more than 65536 bytes' })
    expect(await asking({ ...question, owner: 'deployment' }, { signal })).to.deep.equal({
      kind: 'unavailable',
      reason: 'it could not be reached',
    })
  })

  it('on this machine is only for the deployment', async () => {
    answer = { status: 200, body: '{}' }
    expect(await postForm(url, {}, { owner: { userId: 'user-1' } })).to.deep.equal({
      kind: 'unavailable',
      reason: 'its address must be https',
    })
    expect(await postForm(url)).to.include({ kind: 'answer' })
  })

  for (const [what, given, expected] of [
    ['a refusal', { status: 400, body: '{"error":"invalid_grant"}' }, { kind: 'refused', code: 'invalid_grant' }],
    ['a refusal with 200', { status: 200, body: '{"error":"bad_refresh_token"}' }, { kind: 'refused', code: 'bad_refresh_token' }],
    [
      'a refusal in an object',
      { status: 401, body: '{"error":{"code":"refresh_token_reused"}}' },
      { kind: 'refused', code: 'refresh_token_reused' },
    ],
    ['a 401 without a code', { status: 401, body: '{"message":"no"}' }, { kind: 'refused', code: 'unauthorized' }],
    ['a code that is none', { status: 400, body: '{"error":"<b>no</b>"}' }, { kind: 'refused', code: 'an unknown code' }],
    ['a passing failure', { status: 400, body: '{"error":"temporarily_unavailable"}' }, { kind: 'unavailable' }],
    ['a server that is not well', { status: 503, body: '{"error":"invalid_grant"}' }, { kind: 'unavailable' }],
    ['too many requests', { status: 429, body: '{"error":"invalid_grant"}' }, { kind: 'unavailable' }],
    ['a page of something between', { status: 403, body: '<html>' }, { kind: 'unavailable', reason: 'it responded with 403' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }, { kind: 'unavailable' }],
    ['a list', { status: 200, body: '[]' }, { kind: 'unavailable' }],
    [
      'too much',
      { status: 200, body: `{"access_token":"${'x'.repeat(70_000)}"}` },
      { kind: 'unavailable', reason: 'its response has more than 65536 bytes' },
    ],
  ] as const)
    it(`responds with ${what}`, async () => {
      answer = given
      expect(await postForm(url)).to.include(expected)
    })

  it('is unavailable if nothing listens, and is not contacted at an unsafe address', async () => {
    expect(await postForm('http://127.0.0.1:1/token')).to.include({ kind: 'unavailable', reason: 'it could not be reached' })
    expect(await postForm('http://vendor.test/token')).to.include({ kind: 'unavailable' })
  })

  it('is abandoned when the signal aborts', async () => {
    answer = 'hang'
    const stop = new AbortController()
    const asking = postForm(url, {}, {}, stop.signal).catch((error: unknown) => error)
    stop.abort(new Error('cancelled'))
    expect(String(await asking)).to.contain('cancelled')
  })
})

const tokenWith = (claims: unknown): string => `h.${Buffer.from(JSON.stringify(claims), 'utf8').toString('base64url')}.s`

describe('tokens', () => {
  const path = ['https://vendor.test/auth', 'account']
  const idToken = tokenWith({ 'https://vendor.test/auth': { account: 'account-1' } })
  const before = { accessToken: 'old', refreshToken: 'refresh-1', account: 'account-1' }

  for (const [what, body, settings, expected] of [
    ['an access token alone', { access_token: 'a' }, {}, { accessToken: 'a' }],
    ['a life in seconds', { access_token: 'a', expires_in: 60, token_type: 'Bearer' }, {}, { accessToken: 'a', expiresAt: 61_000 }],
    ['a life as text', { access_token: 'a', expires_in: '60' }, {}, { accessToken: 'a', expiresAt: 61_000 }],
    ['its end among the claims', { access_token: tokenWith({ exp: 90 }) }, {}, { accessToken: tokenWith({ exp: 90 }), expiresAt: 90_000 }],
    ['an account', { access_token: 'a', id_token: idToken }, { accountClaim: path }, { accessToken: 'a', account: 'account-1' }],
  ] as const)
    it(`with ${what}`, () => {
      expect(readTokens(body, settings as { accountClaim?: string[] }, { now: 1_000 })).to.deep.equal(expected)
    })

  it('keep members that a refresh omits, and take those that it returns', () => {
    const settings = { accountClaim: path }
    expect(readTokens({ access_token: 'new' }, settings, { now: 0, before })).to.deep.equal({ ...before, accessToken: 'new' })
    expect(readTokens({ access_token: 'new', refresh_token: 'refresh-2' }, settings, { now: 0, before })).to.include({
      refreshToken: 'refresh-2',
    })
  })

  for (const [what, body] of [
    ['no access token', { id_token: idToken }],
    ['a token that is bound to a key', { access_token: 'a', token_type: 'dpop', id_token: idToken }],
    ['no account', { access_token: 'a', id_token: tokenWith({}) }],
    ['an account that is not a text', { access_token: 'a', id_token: tokenWith({ 'https://vendor.test/auth': { account: 7 } }) }],
    [
      'an account that would break a header',
      { access_token: 'a', id_token: tokenWith({ 'https://vendor.test/auth': { account: 'a\r\nb: c' } }) },
    ],
    ['a damaged token', { access_token: 'a', id_token: 'no.token' }],
  ] as const)
    it(`are unusable with ${what}`, () => {
      expect(readTokens(body, { accountClaim: path }, { now: 0 })).to.have.property('unusable')
    })
})
