import { ServiceError } from '@agent-service/sdk'
import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { type ScriptedProvider, startScriptedProvider } from './test-support/scripted-provider.js'
import { pageOf, readLogin, type StartedPlugin, startPlugin } from './test-support/start-plugin.js'

const principal: Principal = {
  ...{ userId: 'user', username: 'ada', handle: 'ada', role: 'user', sessionId: 'session' },
  scopes: ['read', 'write', 'inference'],
}
const html = { accept: 'text/html,*/*', 'user-agent': 'browser' }
const ownPage = { ...html, 'sec-fetch-site': 'same-origin' }

describe('a confirmation by single sign-on', () => {
  let peer: ScriptedProvider
  let plugin: StartedPlugin

  const begin = (request: Partial<RouteRequest> = {}) => plugin.login({ confirm: true }, { principal, headers: ownPage, ...request })
  const comeBack = async (request: Partial<RouteRequest> = { principal }) => {
    const { state, nonce, cookies } = readLogin(await begin())
    peer.nonce = nonce
    return plugin.callback({ state, code: 'code' }, cookies, request)
  }

  beforeEach(async () => {
    peer = await startScriptedProvider()
    plugin = await startPlugin({ authority: peer.issuer })
  })
  afterEach(async () => {
    await plugin.dispose()
    await peer.close()
  })

  it('requires a new sign-on at the provider, unlike a sign-in', async () => {
    const asked = readLogin(await begin()).location.searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).to.deep.equal(['login', '0'])
    const signIn = readLogin(await plugin.login({}, { principal, headers: ownPage })).location.searchParams
    expect([signIn.has('prompt'), signIn.has('max_age')]).to.deep.equal([false, false])
  })

  it('passes on the identity, the session and the time of sign-on, without a sign-in', async () => {
    peer.token = { claims: { auth_time: 1_700_000_005 } }
    const response = await comeBack()
    expect([response.status, response.headers]).to.deep.equal([303, { location: 'https://pages.example/' }])
    expect(plugin.signedIn).to.deep.equal([])
    expect(plugin.confirmed).to.deep.equal([
      {
        identity: { issuer: peer.issuer, subject: 'ada' },
        options: {
          asked: { sessionId: 'session', at: 1_700_000_000_000 },
          origin: { address: '192.0.2.7', sessionId: 'session' },
          signedOnAt: 1_700_000_005_000,
        },
      },
    ])
  })

  it('passes on no time of sign-on and no session if there is none', async () => {
    await comeBack({})
    expect(plugin.confirmed.map(({ options }) => options)).to.deep.equal([
      { asked: { sessionId: 'session', at: 1_700_000_000_000 }, origin: { address: '192.0.2.7' } },
    ])
  })

  it('proves nothing with a time that is not a number', async () => {
    peer.token = { claims: { auth_time: '1700000005' } }
    expect(pageOf(await comeBack())).to.equal('403 sso_response_invalid')
    expect(plugin.confirmed).to.deep.equal([])
  })

  it('shows a refusal of the kernel, and begins no session', async () => {
    plugin.refusal = new ServiceError({ code: 'confirmation_mismatch', status: 403, title: 'Not the same', message: 'Try again.' })
    const response = await comeBack()
    expect(pageOf(response)).to.equal('403 confirmation_mismatch')
    expect(response.headers).to.not.have.property('set-cookie')
  })

  it('requires a session of a person', async () => {
    const { sessionId: _, ...program } = principal
    const { principal: __, ...nobody } = { principal }
    expect(pageOf(await plugin.login({ confirm: true }, { ...nobody, headers: ownPage }))).to.equal('403 session_required')
    expect(pageOf(await begin({ principal: { ...program, tokenId: 'token' } }))).to.equal('403 session_required')
  })

  for (const [from, headers, page] of [
    ['a page of this host', ownPage, 303],
    ['a page of the pages’ host', { ...html, 'sec-fetch-site': 'cross-site', referer: 'https://pages.example/' }, 303],
    ['a page of the API’s host', { ...html, 'sec-fetch-site': 'same-site', referer: 'https://api.example/back/x' }, 303],
    ['a program', html, 303],
    ['a page of another site', { ...html, 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }, 403],
    ['a page that hides', { ...html, 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbour of the same site', { ...html, 'sec-fetch-site': 'same-site' }, 403],
    ['a link in a letter', { ...html, 'sec-fetch-site': 'none' }, 403],
    ['a page whose address starts the same way', { ...html, referer: 'https://pages.example.evil.example/' }, 403],
    ['a page of an unreadable address', { ...html, referer: 'nowhere' }, 403],
  ] as const) {
    it(`${page === 303 ? 'begins' : 'does not begin'} on ${from}`, async () => {
      const response = await begin({ headers })
      expect(pageOf(response)).to.equal(page === 303 ? '303' : '403 sso_confirmation_foreign')
    })
  }
})
