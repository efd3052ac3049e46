import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { methodsCollection } from './provider/working-method.js'
import { type ScriptedProvider, startScriptedProvider } from './test-support/scripted-provider.js'
import { pageOf, readLogin, type StartedPlugin, startPlugin } from './test-support/start-plugin.js'

const client = { client_id: 'house-web.app', client_secret: 'Q~a.b_c-1+/%$' }
const json = { 'content-type': 'application/json' }

/** How a request to the token endpoint authenticated. */
type Method = 'basic' | 'basic as it is' | 'post' | 'none'

describe('the client at the token endpoint', () => {
  let peer: ScriptedProvider
  let plugin: StartedPlugin
  /** What the provider takes, and what it used. */
  let taken: Method
  let used: Method[]
  /** The provider uses up the code together with a refused client. */
  let losesCodes: boolean
  /** What a refusal looks like. */
  let refusal: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

  const methodOf = (authorization: string | undefined, body: string): Method => {
    const form = new URLSearchParams(body)
    if (form.get('client_secret') === client.client_secret) return 'post'
    const text = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString('utf8')
    if (text === 'house-web.app:Q~a.b_c-1%2B%2F%25%24') return 'basic'
    return text === `house-web.app:${client.client_secret}` ? 'basic as it is' : 'none'
  }
  const start = async (settings: object = {}, database = createMemoryDatabase([methodsCollection])): Promise<void> => {
    plugin = await startPlugin({ authority: peer.issuer, ...client, ...settings }, database)
  }
  const signIn = async () => {
    const { state, nonce, cookies } = readLogin(await plugin.login({ return_to: '/chats' }))
    peer.nonce = nonce
    return plugin.callback({ state, code: 'code' }, cookies)
  }
  const lastReason = (): string => JSON.stringify(plugin.lines.findLast(({ level }) => level === 'warn')?.fields)

  beforeEach(async () => {
    peer = await startScriptedProvider()
    peer.token = { claims: { aud: client.client_id } }
    used = []
    losesCodes = false
    refusal = { status: 401, headers: { ...json, 'www-authenticate': 'Basic realm="house"' }, body: '{"error":"invalid_client"}' }
    let spent = false
    peer.answer = ({ url, headers }, response, body) => {
      if (url !== '/token') return false
      const method = methodOf(headers.authorization, body)
      used.push(method)
      if (method !== taken) {
        spent = losesCodes
        response.writeHead(refusal.status, refusal.headers).end(refusal.body)
        return true
      }
      if (!spent) return false
      spent = false
      response.writeHead(400, json).end('{"error":"invalid_grant"}')
      return true
    }
  })
  afterEach(async () => {
    await plugin.dispose()
    await peer.close()
  })

  for (const [what, offered, method, tried] of [
    ['both are offered, and Basic is not decoded', ['client_secret_basic', 'client_secret_post'], 'post', ['basic', 'post']],
    ['Basic alone is offered, and not decoded', ['client_secret_basic'], 'basic as it is', ['basic', 'basic as it is']],
    [
      'both are offered, and only Basic as it is works',
      ['client_secret_post', 'client_secret_basic'],
      'basic as it is',
      ['basic', 'post', 'basic as it is'],
    ],
    ['post alone is offered, and only Basic works', ['client_secret_post'], 'basic', ['post', 'basic']],
    ['nothing is said, and only post works', undefined, 'post', ['basic', 'post']],
    ['Basic is decoded', ['client_secret_basic'], 'basic', ['basic']],
  ] as const)
    it(`is taken where ${what}, and from then on at once, in other processes too`, async () => {
      peer.metadata = { token_endpoint_auth_methods_supported: offered }
      taken = method
      const database = createMemoryDatabase([methodsCollection])
      await start({}, database)
      expect((await signIn()).status).to.equal(303)
      expect(used).to.deep.equal(tried)
      await plugin.dispose()
      await start({}, database)
      expect((await signIn()).status).to.equal(303)
      expect(used).to.deep.equal([...tried, method])
    })

  for (const [what, more] of [
    ['with 400', { status: 400, headers: json }],
    ['with 200', { status: 200, headers: json, body: '{"error":"incorrect_client_credentials"}' }],
    ['with another code', { body: '{"error":"unauthorized_client"}' }],
    ['without a code', { headers: {}, body: '' }],
    ['with a page', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ] as const)
    it(`is tried by another method when it is refused ${what}`, async () => {
      refusal = { ...refusal, ...more }
      taken = 'post'
      await start()
      expect((await signIn()).status).to.equal(303)
      expect(used).to.deep.equal(['basic', 'post'])
    })

  it('is sent by the method of the setting alone', async () => {
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
    taken = 'post'
    await start({ token_endpoint_auth_method: 'client_secret_post' })
    expect((await signIn()).status).to.equal(303)
    expect(used).to.deep.equal(['post'])
    expect((await plugin.examine()).map(({ state }) => state)).to.deep.equal(['well', 'warning'])
    await plugin.dispose()
    await start({ token_endpoint_auth_method: 'client_secret_basic' })
    expect(pageOf(await signIn())).to.equal('503 sso_misconfigured')
    expect(used.slice(1)).to.deep.equal(['basic', 'basic as it is'])
  })

  it('has what was tried, and what to do, in the log alone, without the secret', async () => {
    taken = 'none'
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }
    refusal = { ...refusal, body: JSON.stringify({ error: 'invalid_client', error_description: `Wrong secret ${client.client_secret}` }) }
    await start()
    const response = await signIn()
    expect(pageOf(response)).to.equal('503 sso_misconfigured')
    expect(response.kind === 'bytes' && Buffer.from(response.bytes).toString()).to.not.match(/client_secret|Wrong secret/)
    for (const words of [
      'invalid_client: “Wrong secret …”',
      'Tried: client_secret_basic, client_secret_post',
      'sso.token_endpoint_auth_method',
    ])
      expect(lastReason()).to.include(words)
    expect(JSON.stringify(plugin.lines)).to.not.include(client.client_secret)
  })

  it('is sent again, once, by a person whose code was used up with the first method', async () => {
    losesCodes = true
    taken = 'post'
    await start()
    const first = await signIn()
    const again = readLogin(first)
    expect([first.status, again.location.pathname]).to.deep.equal([303, '/authorize'])
    expect(plugin.signedIn).to.deep.equal([])
    peer.nonce = again.nonce
    const second = await plugin.callback({ state: again.state, code: 'another' }, again.cookies)
    expect([second.status, second.headers?.['location']]).to.deep.equal([303, 'https://pages.example/chats'])
    expect(used).to.deep.equal(['basic', 'post', 'post'])
  })

  it('is not sent around in a circle', async () => {
    losesCodes = true
    taken = 'post'
    await start()
    const again = readLogin(await signIn())
    taken = 'basic'
    peer.nonce = again.nonce
    expect(pageOf(await plugin.callback({ state: again.state, code: 'another' }, again.cookies))).to.equal('403 sso_response_invalid')
  })

  it('is not tried again when the code is refused', async () => {
    taken = 'basic'
    await start()
    peer.answer = ({ url }, response) => {
      if (url !== '/token') return false
      used.push('basic')
      response.writeHead(400, json).end('{"error":"invalid_grant","error_description":"used"}')
      return true
    }
    expect(pageOf(await signIn())).to.equal('403 sso_response_invalid')
    expect(used).to.have.length(1)
    expect(lastReason()).to.include('invalid_grant: “used”')
  })

  it('has a secret without the line break of its file, and says so', async () => {
    taken = 'basic'
    await start({ client_id: `${client.client_id}\n`, client_secret: ` ${client.client_secret}\r\n` })
    expect((await signIn()).status).to.equal(303)
    expect(plugin.lines.map(({ message }) => message).join()).to.include('sso.client_secret begins or ends with blanks')
  })

  it('without a secret is told that the provider wants one', async () => {
    taken = 'basic'
    await start({ client_secret: undefined })
    expect(pageOf(await signIn())).to.equal('503 sso_misconfigured')
    expect(lastReason()).to.include('set sso.client_secret')
  })
})
