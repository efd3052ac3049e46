import { expect } from 'chai'
import { type ScriptedProvider, startScriptedProvider, type TokenScript } from './test-support/scripted-provider.js'
import { pageOf, readLogin, type StartedPlugin, startPlugin } from './test-support/start-plugin.js'

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

describe('the response of an identity provider', () => {
  let peer: ScriptedProvider
  let plugin: StartedPlugin

  /** From the login to the callback, with a code that the provider accepts. */
  const comeBack = async (parameters: Readonly<Record<string, string>> = {}) => {
    const { state, nonce, cookies } = readLogin(await plugin.login())
    peer.nonce = nonce
    return plugin.callback({ state, code: 'code', ...parameters }, cookies)
  }

  beforeEach(async () => {
    peer = await startScriptedProvider()
    plugin = await startPlugin({ authority: peer.issuer, client_secret: peer.clientSecret })
  })
  afterEach(async () => {
    await plugin.dispose()
    await peer.close()
  })

  it('signs a person in if all checks pass', async () => {
    peer.userInfo = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada', preferred_username: 'ada' }
    const response = await comeBack({ iss: peer.issuer })
    expect([response.status, response.headers]).to.deep.equal([
      303,
      { location: 'https://pages.example/', 'set-cookie': 'refresh_token=token; Path=/' },
    ])
    expect(plugin.signedIn[0]?.identity).to.deep.equal({
      ...{ issuer: peer.issuer, subject: 'ada', email: 'ada@example.org', emailVerified: true, name: 'Ada', preferredUsername: 'ada' },
    })
  })

  const forged: readonly (readonly [what: string, token: TokenScript])[] = [
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['10.5.4 another audience', { claims: { aud: 'somebody else' } }],
    ['10.5.4 several audiences and another authorized party', { claims: { aud: ['client', 'other'], azp: 'other' } }],
    ['10.5.1 another nonce', { claims: { nonce: 'another' } }],
    ['10.5.1 no nonce', { claims: { nonce: undefined } }],
    ['9.2.1 an end in the past', { claims: { exp: seconds(-60) } }],
    ['9.2.1 no end', { claims: { exp: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['9.1.2 no signature', { algorithm: 'none' }],
    ['9.1.2 a signature by the public key as a shared secret', { algorithm: 'HS256' }],
    ['9.1.1 the signature of an unknown key', { foreignKey: true }],
  ]
  for (const [what, token] of forged)
    it(`proves nothing with ${what}`, async () => {
      peer.token = token
      expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
      expect(plugin.signedIn).to.deep.equal([])
    })

  it('proves nothing if another provider responds: 10.2.2', async () => {
    expect(pageOf(await comeBack({ iss: 'https://evil.example' }))).to.equal('403 sso_response_invalid')
    expect(peer.requests.map(({ line }) => line)).to.not.include('POST /token')
    peer.metadata = { authorization_response_iss_parameter_supported: true }
    plugin.pass(3_600_001)
    expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
  })

  it('proves nothing if the user info has another subject: 10.5.2', async () => {
    peer.userInfo = { sub: 'eve', email: 'ada@example.org', email_verified: true }
    expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
  })

  it('applies a verification only to the address from the same source', async () => {
    peer.token = { claims: { email: 'victim@example.org' } }
    peer.userInfo = { sub: 'ada', email: 'ada@example.org', email_verified: true }
    await comeBack()
    expect(plugin.signedIn[0]?.identity).to.deep.equal({ issuer: peer.issuer, subject: 'ada', email: 'victim@example.org' })
  })

  it('verifies an address only by the boolean', async () => {
    for (const [said, heard] of [
      ['true', undefined],
      [1, undefined],
      ['false', false],
      [false, false],
      [true, true],
    ] as const) {
      peer.token = { claims: { email: 'ada@example.org', email_verified: said } }
      await comeBack()
      expect([said, plugin.signedIn.at(-1)?.identity.emailVerified]).to.deep.equal([said, heard])
    }
  })

  it('accepts a new key from the first sign-in on', async () => {
    expect((await comeBack()).status).to.equal(303)
    peer.rotate()
    expect((await comeBack()).status).to.equal(303)
    expect(peer.requests.filter(({ line }) => line.includes('well-known'))).to.have.length(1)
  })

  it('becomes an error with a text of this service if the provider refuses', async () => {
    for (const [error, page] of [
      ['access_denied', '403 sso_denied'],
      ['<script>', '403 sso_denied'],
      ['temporarily_unavailable', '503 sso_unavailable'],
    ] as const) {
      const response = await comeBack({ error, error_description: '<b>words of the provider</b>' })
      expect(pageOf(response)).to.equal(page)
      expect(response.kind === 'bytes' && Buffer.from(response.bytes).toString()).to.not.match(/<script>|words of the provider/)
    }
    expect(JSON.stringify(plugin.lines)).to.not.match(/<script>|words of the provider/)
  })

  it('is limited in size and time, and its failures differ from forgeries', async () => {
    const json = { 'content-type': 'application/json' }
    for (const [page, status, headers, body] of [
      ['503 sso_unavailable', 502, {}, '<html>'],
      ['503 sso_unavailable', 200, json, 'x'.repeat(1_100_000)],
      ['503 sso_unavailable', 302, { location: 'http://127.0.0.1:9/' }, ''],
      ['403 sso_response_invalid', 400, json, '{"error":"invalid_grant"}'],
      ['403 sso_response_invalid', 200, json, '{'],
    ] as const) {
      peer.answer = ({ url }, response) => {
        if (url !== '/token') return false
        response.writeHead(status, headers).end(body)
        return true
      }
      expect([status, pageOf(await comeBack())]).to.deep.equal([status, page])
    }
    peer.answer = ({ url }, response) => {
      if (url !== '/token') return false
      response.destroy()
      return true
    }
    expect(pageOf(await comeBack())).to.equal('503 sso_unavailable')
  })

  it('receives the client secret with a supported method, and no log contains it', async () => {
    await comeBack()
    const basic = peer.requests.find(({ line }) => line === 'POST /token')
    expect([basic?.authorization?.startsWith('Basic '), basic?.body.includes('client_secret')]).to.deep.equal([true, false])
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    plugin.pass(3_600_001)
    await comeBack()
    const post = peer.requests.findLast(({ line }) => line === 'POST /token')
    expect([post?.authorization, post?.body.includes('client_secret=secret+of+the+client')]).to.deep.equal([undefined, true])
    peer.token = { foreignKey: true }
    await comeBack()
    expect(JSON.stringify(plugin.lines)).to.not.include(peer.clientSecret)
  })
})
