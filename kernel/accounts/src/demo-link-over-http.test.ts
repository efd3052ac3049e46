import { expect } from 'chai'
import { demoLinkLifetimeMs } from './sessions/demo-link.js'
import { type AuthUnderTest, openAuthUnderTest } from './testing/auth-under-test.js'
import { type AuthServer, startAuthServer } from './testing/start-auth-server.js'

describe('the link of the demo over HTTP', () => {
  let auth: AuthUnderTest
  let server: AuthServer
  const open = async (hasDemoLink: boolean): Promise<void> => {
    auth = await openAuthUnderTest({ hasDemoLink })
    server = await startAuthServer(auth, auth.routes)
  }
  afterEach(() => server.close())

  const issue = (): string => {
    const secret = auth.issueDemoLink?.()
    if (secret === undefined) throw new Error('There is no link.')
    return secret
  }
  const redeem = async (token: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await server.fetch('/api/auth/demo', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    })
    return {
      status: answer.status,
      cookie: answer.headers.get('set-cookie'),
      json: (await answer.json()) as Readonly<Record<string, unknown>>,
    }
  }

  it('signs in once, as the administrator of a new installation, and says nothing of its secret anywhere', async () => {
    await open(true)
    const secret = issue()
    expect(Buffer.from(secret, 'base64url')).to.have.length(32)
    const first = await redeem(secret)
    expect(first.status, JSON.stringify(first.json)).to.equal(200)
    expect(first.json['user']).to.include({ username: 'demo', role: 'admin' })
    expect(first.cookie).to.include('HttpOnly')
    const second = await redeem(secret)
    expect([second.status, second.json['code'], second.cookie]).to.deep.equal([401, 'demo_link_invalid', null])
    expect(JSON.stringify(auth.log.lines)).not.to.include(secret)
    expect(JSON.stringify(second.json)).not.to.include(secret)
  })

  it('signs in to the same account again with the next link, which makes the one before void', async () => {
    await open(true)
    const { json } = await redeem(issue())
    const void_ = issue()
    const next = issue()
    expect((await redeem(void_)).status).to.equal(401)
    expect((await redeem(next)).json['user']).to.deep.include({ id: (json['user'] as { readonly id: string }).id })
  })

  it('is an ordinary user where people have signed up before, and no way into an account with a password', async () => {
    await open(true)
    await auth.register('ada')
    expect((await redeem(issue())).json['user']).to.include({ username: 'demo', role: 'user' })
    await server.close()
    await open(true)
    await auth.register('demo')
    expect((await redeem(issue())).status).to.equal(401)
  })

  it('ends after ten minutes', async () => {
    await open(true)
    const secret = issue()
    await auth.clock.advance(demoLinkLifetimeMs)
    expect((await redeem(secret)).status).to.equal(401)
  })

  it('works on this machine alone; a try from elsewhere does not use it up', async () => {
    await open(true)
    const secret = issue()
    expect((await redeem(secret, { 'x-forwarded-for': '203.0.113.9' })).status).to.equal(401)
    expect((await redeem(secret)).status).to.equal(200)
  })

  it('does not exist outside of the demo', async () => {
    await open(false)
    expect(auth.issueDemoLink).to.equal(undefined)
    expect((await redeem('a'.repeat(43))).status).to.equal(404)
  })
})
