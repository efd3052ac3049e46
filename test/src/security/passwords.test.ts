import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { setUpCodeOf } from '../support/set-up-code.js'
import { type Answer, type Client, createClient, type SignedInPerson, usualPassword } from './support/clients.js'

describe('passwords, wherever one is chosen', () => {
  let kernel: TestKernel
  let client: Client
  let admin: SignedInPerson
  let lovelace: SignedInPerson

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
    admin = await createClient(kernel.url).signUp('admin', usualPassword, setUpCodeOf(kernel))
    client = createClient(kernel.url, { trustedProxy: true })
    const body = { username: 'lovelace', password: usualPassword, email: 'countess@example.org' }
    await client.send('POST', '/api/auth/register', { body })
    lovelace = await client.signIn('lovelace')
    await client.confirm(admin)
  })
  after(() => kernel?.stop())

  const person = { username: 'lovelace2', email: 'countess@example.net' }
  /** Every place at which a password is chosen for somebody of these names. */
  const places: Readonly<Record<string, (password: string) => Promise<Answer>>> = {
    'signing up': (password) => client.send('POST', '/api/auth/register', { body: { ...person, password } }),
    'making an account': (password) =>
      client.send('POST', '/api/admin/users', { headers: admin.authorization, body: { ...person, password } }),
    'changing it': (password) =>
      client.send('PUT', '/api/auth/password', {
        headers: lovelace.authorization,
        body: { current_password: usualPassword, new_password: password },
      }),
    'giving another one': (password) =>
      client.send('PATCH', `/api/admin/users/${lovelace.userId}`, { headers: admin.authorization, body: { password } }),
  }

  for (const [place, choose] of Object.entries(places)) {
    it(`6.2.1 6.2.4 6.2.11 are refused when ${place}: short ones, common ones, and those that hold a name`, async () => {
      for (const [password, code] of [
        ['seven77', 'invalid_request'],
        ['x'.repeat(1025), 'invalid_request'],
        ['Password1', 'password_too_common'],
        ['qwertyuiop', 'password_too_common'],
        ['a poem of LoveLace2', 'password_contains_name'],
        ['the Countess of it', 'password_contains_name'],
        ['Agent-Service 2026', 'password_contains_name'],
      ] as readonly (readonly [string, string])[]) {
        const { status, json, text } = await choose(password)
        expect([password.slice(0, 30), status, json['code']], text).to.deep.equal([password.slice(0, 30), 422, code])
        expect(text).to.not.contain(password)
      }
      expect((await client.signIn('lovelace')).userId).to.equal(lovelace.userId)
    })
  }

  it('6.2.5 6.2.8 6.2.9 count to their last character, of any alphabet, and are never trimmed or folded', async () => {
    // Longer than the 72 bytes at which some hashes stop to look.
    const long = `${'κωδικός '.repeat(20)}battery staple`
    const { userId } = await client.signUp('grace', long)
    expect((await client.signIn('grace', long)).userId).to.equal(userId)
    for (const other of [
      long.slice(0, -1),
      `${long.slice(0, -1)}x`,
      ` ${long}`,
      long.toUpperCase(),
      long.normalize('NFD'),
      `${long}\u200b`,
    ]) {
      const { status, json } = await client.send('POST', '/api/auth/login', { body: { username: 'grace', password: other } })
      expect([status, json['code']]).to.deep.equal([401, 'invalid_credentials'])
    }
  })

  it('6.3.2 none is there from the beginning: no account can be signed in to that nobody has made', async () => {
    for (const [username, password] of [
      ['admin', 'admin'],
      ['admin', 'password'],
      ['root', 'root'],
      ['agent-service', 'agent-service'],
      ['demo', 'demo'],
    ] as const)
      expect((await client.send('POST', '/api/auth/login', { body: { username, password } })).status).to.equal(401)
  })
})
