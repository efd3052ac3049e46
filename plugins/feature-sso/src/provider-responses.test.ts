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

  for (const [said, heard] of [
    [true, true],
    ['true', true],
    ['True', true],
    [' TRUE ', true],
    [false, false],
    ['false', false],
    ['no', false],
    ['yes', false],
    [1, false],
    ['1', false],
    [0, false],
    [[true], false],
    [{ value: true }, false],
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
  ] as const)
    for (const place of ['ID token', 'user info'] as const)
      it(`verifies an address only by true, also as text: ${JSON.stringify(said)} in the ${place}`, async () => {
        const claims = { email: 'ada@example.org', email_verified: said }
        if (place === 'ID token') peer.token = { claims }
        else peer.userInfo = { sub: 'ada', ...claims }
        await comeBack()
        expect(plugin.signedIn[0]?.identity).to.include({ email: 'ada@example.org' })
        expect(plugin.signedIn[0]?.identity.emailVerified).to.equal(heard)
      })

  it('has no address in a claim that is not a text, or blank', async () => {
    for (const email of [['ada@example.org'], { value: 'ada@example.org' }, 7, ' ']) {
      peer.token = { claims: { email, email_verified: true } }
      await comeBack()
      expect(plugin.signedIn.at(-1)?.identity).to.deep.equal({ issuer: peer.issuer, subject: 'ada' })
    }
  })

  it('has the address of the user info where the ID token has an empty one', async () => {
    peer.userInfo = { sub: 'ada', email: 'ada@example.org', email_verified: true }
    for (const email of [null, '', ' ', ['ada@example.org']]) {
      peer.token = { claims: { email, email_verified: false } }
      await comeBack()
      expect(plugin.signedIn.at(-1)?.identity).to.include({ email: 'ada@example.org', emailVerified: true })
    }
  })

  for (const algorithm of ['ES256', 'RS256', 'PS256', 'EdDSA'] as const)
    for (const nameless of [false, true])
      it(`is signed with ${algorithm}, ${nameless ? 'without' : 'with'} the id of its key, beside keys of unknown kinds`, async () => {
        peer.publish = (keys) => [{ kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA' }, ...keys, { kty: 'EC', crv: 'unknown', x: 'AA', y: 'AA' }]
        peer.token = { algorithm, nameless }
        expect((await comeBack()).status).to.equal(303)
      })

  it('is signed by a key without kid, alg and use', async () => {
    peer.publish = ([first]) => [Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => !['kid', 'alg', 'use'].includes(name)))]
    peer.token = { nameless: true }
    expect((await comeBack()).status).to.equal(303)
  })

  it('needs no user info, neither its address nor its endpoint', async () => {
    peer.metadata = { userinfo_endpoint: undefined }
    expect((await comeBack()).status).to.equal(303)
    expect(plugin.signedIn[0]?.identity).to.deep.equal({ issuer: peer.issuer, subject: 'ada' })
  })

  it('names what it is that fails with the user info', async () => {
    peer.answer = ({ url }, response) => {
      if (url !== '/userinfo') return false
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
      return true
    }
    expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
    expect(JSON.stringify(plugin.lines.at(-1))).to.include('refused the request with 401')
  })

  for (const [what, status, headers, body] of [
    ['is not there', 404, {}, ''],
    ['is a page', 200, { 'content-type': 'text/html' }, '<html>'],
    ['is signed by an unknown key', 200, { 'content-type': 'application/jwt' }, 'a.b.c'],
  ] as const)
    it(`names the user info if it ${what}`, async () => {
      peer.answer = ({ url }, response) => {
        if (url !== '/userinfo') return false
        response.writeHead(status, headers).end(body)
        return true
      }
      expect(pageOf(await comeBack())).to.match(/^(403 sso_response_invalid|503 sso_unavailable)$/)
      expect(plugin.lines.at(-1)?.fields).to.include({ request: 'user info' })
    })

  it('has the words of a provider that refuses with 200', async () => {
    peer.answer = ({ url }, response) => {
      if (url !== '/token') return false
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"error":"bad_verification_code","error_description":"It is old."}')
      return true
    }
    expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
    expect(JSON.stringify(plugin.lines.at(-1))).to.include('(bad_verification_code: “It is old.”)')
  })

  it('accepts a new key from the first sign-in on', async () => {
    expect((await comeBack()).status).to.equal(303)
    peer.rotate()
    expect((await comeBack()).status).to.equal(303)
    expect(peer.requests.filter(({ line }) => line.includes('well-known'))).to.have.length(1)
  })

  it('becomes an error with the words of the provider as text, on the page and in the log', async () => {
    for (const [error, page, shown] of [
      ['access_denied', '403 sso_denied', 'access_denied: “'],
      ['<script>', '403 sso_denied', 'an unknown code: “'],
      ['temporarily_unavailable', '503 sso_unavailable', 'temporarily_unavailable: “'],
    ] as const) {
      const response = await comeBack({ error, error_description: `<b>Not</b>\r\n\u202Etoday ${peer.clientSecret} ${'x'.repeat(300)}` })
      expect(pageOf(response)).to.equal(page)
      const text = response.kind === 'bytes' ? Buffer.from(response.bytes).toString() : ''
      expect(text)
        .to.include(`${shown}&lt;b&gt;Not&lt;/b&gt; today … xxx`)
        .and.not.match(/<script>|<b>|\u202E|x{201}/)
      expect(JSON.stringify(plugin.lines.at(-1))).to.include('<b>Not</b> today … xxx')
    }
    expect(JSON.stringify(plugin.lines)).to.not.match(/<script>|\u202E/)
    expect(JSON.stringify(plugin.lines)).to.not.include(peer.clientSecret)
  })

  it('never shows the client secret, however the provider repeats it', async () => {
    const [secret, pair] = [peer.clientSecret, `client:${peer.clientSecret}`]
    const form = new URLSearchParams({ secret }).toString().slice('secret='.length)
    const sent = [secret, form, encodeURIComponent(secret), btoa(pair), btoa(`client:${encodeURIComponent(secret)}`)]
    for (const text of sent) {
      await comeBack({ error: 'access_denied', error_description: `Got ${text} from you` })
      expect(JSON.stringify(plugin.lines.at(-1))).to.include('Got … from you')
    }
  })

  it('has its reason in the log, with both values and the setting', async () => {
    for (const [token, words] of [
      [{ claims: { iss: 'https://other.example' } }, ['"https://other.example"', 'sso.authority is “http://127.0.0.1']],
      [{ claims: { aud: 'other' } }, ['"other"', 'sso.client_id is “client”']],
      [{ claims: { aud: ['client', 'x'], azp: 'x' } }, ['"x" (azp)']],
      [{ claims: { aud: ['client', 'x'] } }, ['["client","x"]', 'no azp']],
      [{ claims: { exp: seconds(-100) } }, ['(exp)', 'seconds before', 'clocks']],
      [{ claims: { nbf: seconds(100) } }, ['(nbf)', 'seconds after', 'clocks']],
      [{ claims: { sub: 7 } }, ['"sub"']],
      [{ claims: { exp: '1700000000' } }, ['"exp"']],
      [{ foreignKey: true }, ['signature']],
    ] as const) {
      peer.token = token
      await comeBack()
      for (const word of words) expect(JSON.stringify(plugin.lines.at(-1)).replaceAll('\\"', '"')).to.include(word)
    }
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

  it('receives the client secret, and no log contains it', async () => {
    await comeBack()
    const basic = peer.requests.find(({ line }) => line === 'POST /token')
    expect([basic?.authorization?.startsWith('Basic '), basic?.body.includes('client_secret')]).to.deep.equal([true, false])
    peer.token = { foreignKey: true }
    await comeBack()
    expect(JSON.stringify(plugin.lines)).to.not.include(peer.clientSecret)
  })
})
