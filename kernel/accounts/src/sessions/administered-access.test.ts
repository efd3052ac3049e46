import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { externalIdentities } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

interface Listed {
  readonly items: readonly { readonly id: string; readonly [member: string]: unknown }[]
}

describe('the access of an account, for admins', () => {
  let auth: AuthUnderTest
  let plain: Principal
  let admin: Principal
  let bob: SignedInBody

  const ofBob = async (operationId: string, params: Readonly<Record<string, string>> = {}, principal: Principal = admin) =>
    (await auth.call(operationId, { principal, params: { user_id: bob.user.id, ...params } })).json as Listed
  const logIn = async (): Promise<SignedInBody> =>
    (await auth.call('login', { body: { username: 'bob', password: 'bob-secret-1' } })).json as SignedInBody
  const kinds = async (): Promise<readonly unknown[]> =>
    (
      (await auth.call('listAuditEvents', { principal: admin, query: { actor_id: admin.userId, subject_id: bob.user.id } })).json as Listed
    ).items.map(({ kind }) => kind)

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    const { access_token: token } = await auth.register('ada')
    plain = await auth.principal(token)
    admin = await auth.confirm(token)
    bob = await auth.register('bob')
  })
  afterEach(endTestStores)

  it('lists sessions, and ends one or all at once', async () => {
    const other = await logIn()
    const { items } = await ofBob('listSessionsOfUser')
    expect(items.map(({ current }) => current)).to.deep.equal([false, false])
    await ofBob('endSessionOfUser', { session_id: items[0]?.id ?? '' })
    expect((await ofBob('listSessionsOfUser')).items).to.have.length(1)
    await auth.principal(bob.access_token)
    expect(await codeOf(auth.principal(other.access_token))).to.equal('unauthenticated')
    await ofBob('endSessionsOfUser')
    expect((await ofBob('listSessionsOfUser')).items).to.deep.equal([])
    expect(await codeOf(auth.principal(bob.access_token))).to.equal('unauthenticated')
    expect(await kinds()).to.deep.equal(['session.ended', 'session.ended'])
    await auth.principal((await logIn()).access_token)
  })

  it('ends no session of another account, also not by its id', async () => {
    const { items } = (await auth.call('listSessionsOfUser', { principal: admin, params: { user_id: admin.userId } })).json as Listed
    const [own] = items
    expect(own?.['current']).to.equal(true)
    expect(await codeOf(ofBob('endSessionOfUser', { session_id: own?.id ?? '' }))).to.equal('not_found')
    expect(await codeOf(auth.call('endSessionsOfUser', { principal: admin, params: { user_id: 'nobody' } }))).to.equal('not_found')
    expect((await auth.sessions.live(own?.id ?? ''))?.ended_at).to.equal(null)
  })

  it('lists identities, and removes one for a confirmed admin alone', async () => {
    const identity = (id: string, userId: string) => ({
      ...{ id, user_id: userId, issuer: 'https://login.example.org', subject: id, email: null, email_verified: null },
      ...{ created_at: '2026-01-01T00:00:00.000Z', last_sign_in_at: '2026-01-02T00:00:00.000Z' },
    })
    const stored = auth.store.database.collection(externalIdentities)
    await stored.insert(identity('of-bob', bob.user.id))
    await stored.insert(identity('of-ada', admin.userId))
    expect((await ofBob('listIdentitiesOfUser')).items.map(({ id }) => id)).to.deep.equal(['of-bob'])
    expect(await codeOf(ofBob('unlinkIdentityOfUser', { identity_id: 'of-bob' }, plain))).to.equal('confirmation_required')
    expect(await codeOf(ofBob('unlinkIdentityOfUser', { identity_id: 'of-ada' }))).to.equal('not_found')
    await ofBob('unlinkIdentityOfUser', { identity_id: 'of-bob' })
    expect((await ofBob('listIdentitiesOfUser')).items).to.deep.equal([])
    expect(await kinds()).to.deep.equal(['identity.unlinked'])
  })

  it('changes a profile, and an address for a confirmed admin alone', async () => {
    const change = async (body: Readonly<Record<string, unknown>>, principal: Principal = plain) =>
      (await auth.call('changeUser', { principal, params: { user_id: bob.user.id }, body })).json
    expect(await change({ name: ' Bob ', timezone: 'Europe/Vienna' })).to.include({ name: 'Bob', timezone: 'Europe/Vienna' })
    expect(await codeOf(change({ email: 'bob@example.org' }))).to.equal('confirmation_required')
    expect(await change({ email: 'Bob@example.org' }, admin)).to.include({ email: 'bob@example.org', has_password: true })
    await auth.register('eve', { email: 'eve@example.org' })
    expect(await codeOf(change({ email: 'eve@example.org' }, admin))).to.equal('email_taken')
    expect(await codeOf(change({ email: 'no address' }, admin))).to.equal('invalid_request')
    expect(await change({ email: null, name: null }, admin)).to.include({ email: null, name: null, timezone: 'Europe/Vienna' })
  })

  it('finds accounts by any name, role and state', async () => {
    const find = async (query: Readonly<Record<string, unknown>>) =>
      ((await auth.call('listUsers', { principal: admin, query })).json as Listed).items.map(({ username }) => username)
    await auth.register('carol', { name: 'Carol Shaw', email: 'shaw@example.org' })
    await auth.call('changeUser', { principal: admin, params: { user_id: bob.user.id }, body: { disabled: true } })
    expect(await find({ search: 'CAR' })).to.deep.equal(['carol'])
    expect(await find({ search: 'shaw@' })).to.deep.equal(['carol'])
    expect(await find({ role: 'admin' })).to.deep.equal(['ada'])
    expect(await find({ state: 'disabled' })).to.deep.equal(['bob'])
    expect(await find({ state: 'active' })).to.deep.equal(['ada', 'carol'])
    expect(await find({ search: 'ob', state: 'active' })).to.deep.equal([])
  })
})
