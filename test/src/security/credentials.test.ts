import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { setUpCodeOf } from '../support/set-up-code.js'
import { bearer, type Client, createClient, type SignedInPerson, usualPassword } from './support/clients.js'

describe('a credential in the place of another', () => {
  let kernel: TestKernel
  let client: Client
  let ada: SignedInPerson
  let programToken: string

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
    ada = await createClient(kernel.url).signUp('ada', usualPassword, setUpCodeOf(kernel))
    client = createClient(kernel.url, { trustedProxy: true })
    const made = await client.send('POST', '/api/auth/tokens', { headers: ada.authorization, body: { name: 'script' } })
    programToken = String(made.json['token'])
  })
  after(() => kernel?.stop())

  const refreshToken = (): string => ada.cookie.split('=')[1] ?? ''
  const own = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await client.send('GET', '/api/auth/me', { headers })).status

  it('9.2.2 counts in its own place', async () => {
    expect(await own(ada.authorization)).to.equal(200)
    expect(await own(bearer(programToken))).to.equal(200)
    expect(await own({ cookie: ada.cookie })).to.equal(200)
  })

  it('9.2.2 does not count as a bearer when it is a refresh token, or as a cookie when it is a bearer', async () => {
    expect(await own(bearer(refreshToken()))).to.equal(401)
    expect(await own({ cookie: `refresh_token=${ada.accessToken}` })).to.equal(401)
    expect(await own({ cookie: `refresh_token=${programToken}` })).to.equal(401)
  })

  it('9.2.2 does not count in the address of a stream unless it is an access token', async () => {
    for (const token of [programToken, refreshToken(), `${ada.accessToken}.`, ` ${ada.accessToken}`, ada.accessToken.split('.')[1] ?? '']) {
      const answer = await client.send('GET', `/api/events?token=${encodeURIComponent(token)}`)
      expect([answer.status, answer.json['code']]).to.deep.equal([401, 'unauthenticated'])
    }
  })

  it('9.2.2 does not refresh a session unless it is the refresh cookie', async () => {
    for (const headers of [
      ada.authorization,
      bearer(refreshToken()),
      { cookie: `refresh_token=${ada.accessToken}` },
      { cookie: `refresh_token=${programToken}` },
    ])
      expect((await client.send('POST', '/api/auth/refresh', { headers })).status).to.equal(401)
  })

  it('9.1.1 has one spelling', async () => {
    const [head = '', payload = '', signature = ''] = ada.accessToken.split('.')
    const last = signature.slice(-1)
    const sibling = String.fromCharCode(last.charCodeAt(0) + 1)
    for (const spelling of [
      `${head}.${payload}.${signature}=`,
      `${head}.${payload}.${signature.slice(0, -1)}${sibling}`,
      `${head}=.${payload}.${signature}`,
      `${head}.${payload}.${signature}.`,
      `${head.replace(/^e/, 'e%20')}.${payload}.${signature}`,
      `"${ada.accessToken}"`,
    ])
      expect(await own(bearer(spelling)), spelling).to.equal(401)
  })

  it('7.2.3 is drawn anew each time, from at least 128 bits, and tells nothing of the account', async () => {
    const tokens = new Set<string>()
    for (let index = 0; index < 20; index += 1) {
      const made = await client.send('POST', '/api/auth/tokens', { headers: ada.authorization, body: { name: `script ${index}` } })
      tokens.add(String(made.json['token']))
    }
    expect(tokens.size).to.equal(20)
    for (const token of tokens) expect(token).to.match(/^svc_pat_[0-9A-Za-z]{36}$/)
    const again = await client.signIn('ada')
    expect(again.cookie).to.not.equal(ada.cookie)
    // 256 bits of a keyed hash behind the session's id and generation.
    expect(again.cookie).to.match(/\.[A-Za-z0-9_-]{43}$/)
  })

  it('7.2.2 is made for one sign-in: no configured key or constant signs anybody in', async () => {
    for (const headers of [
      bearer('a secret for tests alone'),
      { 'x-api-key': 'a secret for tests alone' },
      { authorization: 'Bearer undefined' },
      { authorization: 'Bearer null' },
    ])
      expect(await own(headers)).to.equal(401)
  })
})
