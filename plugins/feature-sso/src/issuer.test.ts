import { expect } from 'chai'
import { ProviderSetUpError, relationOf } from './provider/issuer.js'
import { type ScriptedProvider, startScriptedProvider } from './test-support/scripted-provider.js'
import { pageOf, type StartedPlugin, startPlugin } from './test-support/start-plugin.js'

describe('the issuer and sso.authority', () => {
  for (const [authority, issuer, relation] of [
    ['https://id.example', 'https://id.example', 'same'],
    ['https://id.example', 'https://id.example/', 'same'],
    ['https://login.microsoftonline.com/common/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0', 'any tenant'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0', 'any tenant'],
    ['https://house.b2clogin.com/house.onmicrosoft.com/b2c_1_in/v2.0/', 'https://house.b2clogin.com/0123-4567/v2.0/', 'policy'],
  ] as const)
    it(`belong together: ${issuer}`, () => expect(relationOf(new URL(authority), issuer)).to.equal(relation))

  for (const [authority, issuer, words] of [
    ['https://id.example/o/app', 'https://id.example/o/app/', 'slash at the end. Set sso.authority to “https://id.example/o/app/”'],
    ['https://id.example/realms/house', 'http://id.example/realms/house', 'give it its public address'],
    ['https://id.example/realms/house', 'https://id.example/realms/House', 'upper and lower case. Set sso.authority to'],
    ['https://id.example/realms/house', 'https://id.example/auth/realms/house', 'Keycloak has /auth before /realms'],
    ['https://id.example/realms/house', 'https://keycloak:8443/realms/house', 'give it its public address, or set sso.authority'],
    ['https://login.microsoftonline.com/0123-4567', 'https://sts.windows.net/0123-4567/', 'ends with /v2.0'],
    ['https://login.microsoftonline.com/0123-4567/v2.0', 'https://login.microsoftonline.com/89ab/v2.0', 'Set sso.authority to'],
    ['https://login.microsoftonline.com/0123-4567/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0', 'Set sso.authority to'],
    ['https://id.example/common/v2.0', 'https://id.example/{tenantid}/v2.0', 'Set sso.authority to'],
    ['https://house.b2clogin.com/p/v2.0', 'https://evil.b2clogin.com/p/v2.0', 'public address'],
    ['https://id.example', undefined, 'names no issuer'],
    ['https://id.example', 'house', 'names no issuer'],
  ] as const)
    it(`do not: ${authority} and ${issuer}`, () => {
      expect(() => relationOf(new URL(authority), issuer))
        .to.throw(ProviderSetUpError, words)
        .with.property('message')
        .that.includes('sso.authority')
    })
})

describe('a provider that does not fit the settings', () => {
  let peer: ScriptedProvider
  let plugin: StartedPlugin

  beforeEach(async () => {
    peer = await startScriptedProvider()
    plugin = await startPlugin({ authority: `${peer.issuer}/realms/house` })
  })
  afterEach(async () => {
    await plugin.dispose()
    await peer.close()
  })

  const described = (document: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void => {
    peer.answer = ({ url = '' }, response) => {
      if (!url.includes('.well-known')) return false
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof document === 'string' ? document : JSON.stringify(document))
      return true
    }
  }

  for (const [what, answer, words] of [
    [
      'another issuer',
      () => described({ issuer: `${peer.issuer}/auth/realms/house` }),
      ['/auth/realms/house”, and sso.authority is “http'],
    ],
    ['no issuer', () => described({}), ['names no issuer']],
    ['no JSON', () => described('<html>'), ['does not answer with JSON']],
    ['nothing at its address', () => described('no', 404), ['answers 404', '/realms/house/.well-known/openid-configuration', 'lower case']],
    ['another address', () => described('', 301, { location: '/elsewhere?code=x' }), ['redirects to “http://127.0.0.1', '/elsewhere”']],
  ] as const)
    it(`has ${what}: the page is calm, the log and doctor say what to change`, async () => {
      answer()
      const response = await plugin.login()
      expect(pageOf(response)).to.equal('503 sso_misconfigured')
      expect(response.kind === 'bytes' && Buffer.from(response.bytes).toString()).to.not.include('/realms')
      const [line] = plugin.lines.filter(({ message }) => message.startsWith('Single sign-on does not fit'))
      const [finding] = await plugin.examine()
      expect(finding?.state).to.equal('failed')
      for (const word of [...words, 'sso.authority']) {
        expect(JSON.stringify(line?.fields)).to.include(word)
        expect(finding?.text).to.include(word)
      }
      expect(peer.requests, 'it is asked once at a time').to.have.length(2)
      expect(finding?.text).to.not.include('code=x')
    })

  it('is not one that fails for a moment', async () => {
    described('later', 503)
    expect(pageOf(await plugin.login())).to.equal('503 sso_unavailable')
    expect((await plugin.examine())[0]).to.include({ state: 'warning' })
    described('slower', 429)
    expect(pageOf(await plugin.login())).to.equal('503 sso_unavailable')
  })

  it('is one that answers, for doctor, once it fits', async () => {
    await plugin.dispose()
    plugin = await startPlugin({ authority: peer.issuer })
    expect(await plugin.examine()).to.deep.equal([{ state: 'well', text: `${peer.issuer} answers` }])
    await plugin.dispose()
    plugin = await startPlugin({ enabled: false })
    expect(await plugin.examine()).to.deep.equal([])
  })
})
