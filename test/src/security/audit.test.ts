import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { removeFolder } from '../support/service-process.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { bearer, type Client, createClient, type SignedInPerson, usualPassword } from './support/clients.js'

interface AuditEvent {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly actor_id: string | null
  readonly subject_id: string | null
  readonly address: string | null
  readonly details: Readonly<Record<string, unknown>>
}

const otherPassword = 'another fine sentence'

describe('the audit log, asked over HTTP', function () {
  this.timeout(30_000)
  const clock = createControlledClock()
  const environment = { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' }
  let folder: string
  let kernel: TestKernel
  let client: Client
  let admin: SignedInPerson
  let bob: SignedInPerson

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-audit-'))
    kernel = await createTestKernel({ folder, clock, environment })
    admin = await createClient(kernel.url).signUp('admin', usualPassword, setUpCodeOf(kernel))
    client = createClient(kernel.url, { trustedProxy: true })
    bob = await client.signUp('bob')
  })
  after(async () => {
    await kernel?.stop()
    await removeFolder(folder)
  })
  // The bucket of an address fills with the clock.
  beforeEach(() => clock.advance(3_000))

  const list = async (query = ''): Promise<readonly AuditEvent[]> => {
    const { json, status, text } = await client.send('GET', `/api/admin/audit?limit=200${query}`, { headers: admin.authorization })
    expect(status, text).to.equal(200)
    return json['items'] as readonly AuditEvent[]
  }
  const from = '203.0.113.77'
  const asBob = (): Readonly<Record<string, string>> => ({ ...bob.authorization, 'x-forwarded-for': from })
  const asAdmin = (): Readonly<Record<string, string>> => ({ ...admin.authorization, 'x-forwarded-for': from })

  /**
   * What is done, and the event that has to be there then: its kind, who did it, whom it is about.
   */
  const cases: readonly (readonly [
    id: string,
    what: string,
    act: () => Promise<unknown>,
    kind: string,
    actor: 'bob' | 'admin' | 'nobody',
    subject: 'bob' | 'nobody',
  ])[] = [
    ['16.3.1', 'a sign-in', () => client.signIn('bob', undefined, { 'x-forwarded-for': from }), 'sign_in.succeeded', 'bob', 'bob'],
    [
      '16.3.1',
      'a wrong password',
      () => client.send('POST', '/api/auth/login', { headers: { 'x-forwarded-for': from }, body: { username: 'bob', password: 'wrong' } }),
      'sign_in.failed',
      'nobody',
      'bob',
    ],
    [
      '16.3.1',
      'an unknown name',
      () =>
        client.send('POST', '/api/auth/login', { headers: { 'x-forwarded-for': from }, body: { username: 'nobody', password: 'wrong' } }),
      'sign_in.failed',
      'nobody',
      'nobody',
    ],
    [
      '16.3.1',
      'a wrong present password',
      () =>
        client.send('PUT', '/api/auth/password', { headers: asBob(), body: { current_password: 'wrong', new_password: otherPassword } }),
      'password.change_refused',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'a token that is made',
      () => client.send('POST', '/api/auth/tokens', { headers: asBob(), body: { name: 'script' } }),
      'token.created',
      'bob',
      'bob',
    ],
    ['16.3.3', 'a token that is revoked', revokeAll, 'token.revoked', 'bob', 'bob'],
    [
      '16.3.3',
      'a wrong password for a confirmation',
      () => client.send('POST', '/api/auth/confirm', { headers: asBob(), body: { password: 'wrong' } }),
      'session.confirmation_refused',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'a confirmation',
      () => client.send('POST', '/api/auth/confirm', { headers: asBob(), body: { password: usualPassword } }),
      'session.confirmed',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'another e-mail address',
      () => client.send('PATCH', '/api/auth/me', { headers: asBob(), body: { email: 'bob@example.org' } }),
      'email.changed',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'another username',
      () => client.send('PUT', '/api/auth/username', { headers: asBob(), body: { username: 'robert' } }),
      'username.changed',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'another password',
      () =>
        client.send('PUT', '/api/auth/password', {
          headers: asBob(),
          body: { current_password: usualPassword, new_password: otherPassword },
        }),
      'password.changed',
      'bob',
      'bob',
    ],
    [
      '16.3.3',
      'a sign-out',
      async () =>
        client.send('POST', '/api/auth/logout', {
          headers: { ...bearer((await client.signIn('robert', otherPassword)).accessToken), 'x-forwarded-for': from },
        }),
      'session.ended',
      'bob',
      'bob',
    ],
    ['16.3.3', 'a refresh token that is used twice', reuse, 'session.refresh_reused', 'nobody', 'bob'],
    [
      '16.3.3',
      'another role',
      async () => {
        await client.confirm(admin)
        return client.send('PATCH', `/api/admin/users/${bob.userId}`, { headers: asAdmin(), body: { role: 'admin' } })
      },
      'account.changed',
      'admin',
      'bob',
    ],
    [
      '16.3.3',
      'an account that goes',
      () => client.send('DELETE', `/api/admin/users/${bob.userId}`, { headers: asAdmin() }),
      'account.deleted',
      'admin',
      'bob',
    ],
  ]

  async function revokeAll(): Promise<void> {
    const { json } = await client.send('GET', '/api/auth/tokens', { headers: asBob() })
    for (const { id } of json['items'] as readonly { readonly id: string }[])
      await client.send('DELETE', `/api/auth/tokens/${id}`, { headers: asBob() })
  }

  async function reuse(): Promise<void> {
    const { cookie } = await client.signIn('robert', otherPassword)
    await client.send('POST', '/api/auth/refresh', { headers: { cookie } })
    const { json } = await client.send('POST', '/api/auth/refresh', { headers: { cookie, 'x-forwarded-for': from } })
    expect(json['code']).to.equal('refresh_reused')
  }

  for (const [id, what, act, kind, actor, subject] of cases) {
    it(`${id} has ${what}: who, whom and from where`, async () => {
      const before = new Set((await list(`&kind=${kind}`)).map((event) => event.id))
      await act()
      const added = (await list(`&kind=${kind}`)).filter((event) => !before.has(event.id))
      const idOf = { bob: bob.userId, admin: admin.userId, nobody: null }
      expect(added.map((event) => [event.actor_id, event.subject_id, event.address])).to.deep.equal([[idOf[actor], idOf[subject], from]])
    })
  }

  it('16.3.2 stands beside the log, which has every refusal with who asked for what', async () => {
    const eve = await client.signUp('eve')
    await client.send('GET', '/api/admin/users', { headers: { ...eve.authorization, 'x-forwarded-for': from } })
    expect(kernel.log.at(-1)).to.include({ operation: 'listUsers', status: 403, address: from })
  })

  it('16.3.3 has keys that were replaced by age', async () => {
    await kernel.stop()
    const later = createControlledClock({ now: clock.now() + 91 * 86_400_000 })
    kernel = await createTestKernel({ folder, clock: later, environment })
    // Jobs run at the scheduler's first poll.
    await later.advance(61_000)
    client = createClient(kernel.url, { trustedProxy: true })
    admin = await client.signIn('admin')
    // The jobs run beside it; this test's time limit is theirs.
    const missing = new Set(['signing_key.rotated', 'data_key.rotated'])
    while (missing.size > 0) for (const { kind } of await list()) missing.delete(kind)
  })

  it('16.2.5 holds no password, token or cookie', async () => {
    const text = JSON.stringify(await list())
    expect(text).to.not.match(/svc_pat_|eyJ|\$argon2/)
    for (const secret of [usualPassword, otherPassword, bob.cookie.split('=')[1] ?? '']) expect(text).to.not.contain(secret)
  })

  it('16.4.2 is for administrators to read, and for nobody to change', async () => {
    const eve = await client.signIn('eve')
    expect((await client.send('GET', '/api/admin/audit', { headers: eve.authorization })).status).to.equal(403)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await client.send(method, '/api/admin/audit', { headers: admin.authorization })).status).to.equal(405)
  })
})
