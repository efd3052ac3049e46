import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { askServer, tokensOf } from './token-endpoint.js'

const { signal } = new AbortController()

describe('an authorization server', () => {
  let server: Server
  let url: string
  let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | 'hang'
  let seen = ''

  before(async () => {
    server = createServer((request, response) => {
      seen = ''
      request.on('data', (chunk: Buffer) => {
        seen += chunk.toString('utf8')
      })
      request.on('end', () => {
        if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('gets a form, and its JSON is the answer', async () => {
    answer = { status: 200, body: '{"access_token":"x"}' }
    expect(await askServer(url, { code: 'a b&c', client_id: 'me' }, { signal })).to.deep.equal({
      kind: 'answer',
      body: { access_token: 'x' },
    })
    expect(seen).to.equal('code=a+b%26c&client_id=me')
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
    ['a page of something between', { status: 403, body: '<html>' }, { kind: 'unavailable', reason: 'it answered with 403' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }, { kind: 'unavailable' }],
    ['a list', { status: 200, body: '[]' }, { kind: 'unavailable' }],
    [
      'too much',
      { status: 200, body: `{"access_token":"${'x'.repeat(70_000)}"}` },
      { kind: 'unavailable', reason: 'it answered with more than 65536 bytes' },
    ],
  ] as const)
    it(`says ${what}`, async () => {
      answer = given
      expect(await askServer(url, {}, { signal })).to.include(expected)
    })

  it('is not reached where nobody listens, and not asked where the address is not safe', async () => {
    expect(await askServer('http://127.0.0.1:1/token', {}, { signal })).to.include({ kind: 'unavailable', reason: 'it was not reached' })
    expect(await askServer('http://vendor.test/token', {}, { signal })).to.include({ kind: 'unavailable' })
  })

  it('is left with the signal', async () => {
    answer = 'hang'
    const stop = new AbortController()
    const asking = askServer(url, {}, { signal: stop.signal }).catch((error: unknown) => error)
    stop.abort(new Error('cancelled'))
    expect(String(await asking)).to.contain('cancelled')
  })
})

const tokenWith = (claims: unknown): string => `h.${Buffer.from(JSON.stringify(claims), 'utf8').toString('base64url')}.s`

describe('tokens', () => {
  const path = ['https://vendor.test/auth', 'account']
  const idToken = tokenWith({ 'https://vendor.test/auth': { account: 'account-1' } })
  const before = { kind: 'account', access_token: 'old', refresh_token: 'refresh-1', account_id: 'account-1' } as const

  for (const [what, body, settings, expected] of [
    ['an access token alone', { access_token: 'a' }, {}, { kind: 'account', access_token: 'a' }],
    [
      'a life in seconds',
      { access_token: 'a', expires_in: 60, token_type: 'Bearer' },
      {},
      { kind: 'account', access_token: 'a', expires_at: 61_000 },
    ],
    ['a life as text', { access_token: 'a', expires_in: '60' }, {}, { kind: 'account', access_token: 'a', expires_at: 61_000 }],
    [
      'its end among the claims',
      { access_token: tokenWith({ exp: 90 }) },
      {},
      { kind: 'account', access_token: tokenWith({ exp: 90 }), expires_at: 90_000 },
    ],
    [
      'an account',
      { access_token: 'a', id_token: idToken },
      { account_id_claim: path },
      { kind: 'account', access_token: 'a', account_id: 'account-1' },
    ],
  ] as const)
    it(`with ${what}`, () => {
      expect(tokensOf(body, settings as { account_id_claim?: string[] }, { now: 1_000 })).to.deep.equal(expected)
    })

  it('keep what a refresh leaves out, and take what it brings', () => {
    const settings = { account_id_claim: path }
    expect(tokensOf({ access_token: 'new' }, settings, { now: 0, before })).to.deep.equal({ ...before, access_token: 'new' })
    expect(tokensOf({ access_token: 'new', refresh_token: 'refresh-2' }, settings, { now: 0, before })).to.include({
      refresh_token: 'refresh-2',
    })
  })

  for (const [what, body] of [
    ['no access token', { id_token: idToken }],
    ['a token that is bound to a key', { access_token: 'a', token_type: 'dpop', id_token: idToken }],
    ['no account', { access_token: 'a', id_token: tokenWith({}) }],
    ['an account that is no text', { access_token: 'a', id_token: tokenWith({ 'https://vendor.test/auth': { account: 7 } }) }],
    [
      'an account that would break a header',
      { access_token: 'a', id_token: tokenWith({ 'https://vendor.test/auth': { account: 'a\r\nb: c' } }) },
    ],
    ['a damaged token', { access_token: 'a', id_token: 'no.token' }],
  ] as const)
    it(`are of no use with ${what}`, () => {
      expect(tokensOf(body, { account_id_claim: path }, { now: 0 })).to.have.property('unusable')
    })
})
