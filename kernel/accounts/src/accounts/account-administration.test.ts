import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { endTestStores, openTestStore, turnOfTheLoop } from '@agent-service/kernel-core/events/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { SecretCipher } from '@agent-service/kernel-core/secrets'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { authCollections, userErasures, users } from '../records/records.js'
import { type AuthUnderTest, codeOf, fakeCipher, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'

describe('administering accounts', () => {
  let auth: AuthUnderTest
  let admin: Principal
  let bob: SignedInBody

  const change = async (id: string, body: Readonly<Record<string, unknown>>) =>
    (await auth.call('changeUser', { principal: admin, params: { user_id: id }, body })).json
  const remove = (id: string) => auth.call('deleteUser', { principal: admin, params: { user_id: id } })
  const logIn = async (username: string, password: string): Promise<SignedInBody> =>
    (await auth.call('login', { body: { username, password } })).json as SignedInBody
  const events = async (query: Readonly<Record<string, unknown>> = {}) =>
    (
      (await auth.call('listAuditEvents', { principal: admin, query })).json as {
        readonly items: readonly Readonly<Record<string, unknown>>[]
      }
    ).items

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    admin = await auth.confirm((await auth.register('ada')).access_token)
    bob = await auth.register('bob')
  })
  afterEach(endTestStores)

  it('shows an account, and says that there is none', async () => {
    expect((await auth.call('getUser', { principal: admin, params: { user_id: bob.user.id } })).json).to.include({
      username: 'bob',
      disabled: false,
    })
    expect(await codeOf(auth.call('getUser', { principal: admin, params: { user_id: 'nobody' } }))).to.equal('not_found')
    expect(await codeOf(change('nobody', { disabled: true }))).to.equal('not_found')
  })

  it('gives and takes the role, with effect on the next request', async () => {
    await change(bob.user.id, { role: 'admin' })
    expect((await auth.principal(bob.access_token)).role).to.equal('admin')
    await change(bob.user.id, { role: 'user' })
    expect((await auth.principal(bob.access_token)).role).to.equal('user')
  })

  it('always leaves an admin who can sign in, whichever way one goes, also when two go at once', async () => {
    for (const attempt of [{ role: 'user' }, { disabled: true }]) expect(await codeOf(change(admin.userId, attempt))).to.equal('last_admin')
    expect(await codeOf(remove(admin.userId))).to.equal('last_admin')
    await change(bob.user.id, { role: 'admin' })
    auth.store.pause = turnOfTheLoop
    const outcomes = await Promise.allSettled([change(admin.userId, { role: 'user' }), remove(bob.user.id)])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
  })

  it('deletes an account also when sealing its names takes a transaction, and seals those that it has in the end', async () => {
    const store = await openTestStore({ collections: authCollections })
    const sealed: string[] = []
    let meanwhile: () => Promise<unknown> = async () => undefined
    const cipher: SecretCipher = {
      ...fakeCipher,
      async seal(plaintext, binding) {
        await store.database.transaction(async () => undefined)
        await meanwhile()
        sealed.push(Buffer.from(plaintext).toString())
        return fakeCipher.seal(plaintext, binding)
      },
    }
    auth = await openAuthUnderTest({ store, cipher })
    admin = await auth.confirm((await auth.register('ada')).access_token)
    bob = await auth.register('bob')
    sealed.length = 0
    meanwhile = async () => {
      meanwhile = async () => undefined
      await change(bob.user.id, { name: 'Robert' })
    }
    await remove(bob.user.id)
    expect(await codeOf(auth.call('getUser', { principal: admin, params: { user_id: bob.user.id } }))).to.equal('not_found')
    expect(sealed.slice(0, 2).map((names) => names.includes('Robert'))).to.deep.equal([false, true])
  })

  it('7.4.5 sets a password: the old one is gone, and every session with it', async () => {
    const authentication = await auth.authenticator.authenticate({ bearer: bob.access_token, cookies: {} })
    await change(bob.user.id, { password: 'given by the admin' })
    expect(authentication?.ended.aborted).to.equal(true)
    expect(await codeOf(logIn('bob', 'bob-secret-1'))).to.equal('invalid_credentials')
    expect((await logIn('bob', 'given by the admin')).user.id).to.equal(bob.user.id)
    expect(await codeOf(change(bob.user.id, { password: 'short' }))).to.equal('invalid_request')
  })

  it('7.4.2 deletes an account: gone at once, its name free unless it names a folder, its handle never again', async () => {
    await auth.call('changeUsername', { principal: await auth.principal(bob.access_token), body: { username: 'robert' } })
    expect((await remove(bob.user.id)).status).to.equal(204)
    expect(await codeOf(auth.principal(bob.access_token))).to.equal('unauthenticated')
    expect(await codeOf(remove(bob.user.id))).to.equal('not_found')
    expect(await codeOf(auth.register('bob'))).to.equal('username_taken')
    expect((await auth.register('robert')).user['handle']).to.equal('robert')
    expect((await auth.store.stored(users)).map(({ document }) => document.username)).to.have.members(['ada', 'robert'])
  })

  it('16.3.3 notes who did what to whom and from where, the latest first', async () => {
    await change(bob.user.id, { role: 'admin', disabled: true, password: 'given by the admin' })
    const [latest] = await events({ subject_id: bob.user.id })
    expect(latest).to.deep.include({
      kind: 'account.changed',
      actor_id: admin.userId,
      address: '192.0.2.7',
      after: { role: 'admin', disabled: true, password: 'changed' },
    })
    await codeOf(logIn('bob', 'given by the admin'))
    expect((await events({ kind: 'sign_in.failed' })).map(({ subject_id }) => subject_id)).to.deep.equal([bob.user.id])
    expect((await events({ actor_id: admin.userId })).map(({ kind }) => kind)).to.include.members(['account.created', 'account.changed'])
    expect(JSON.stringify(await events())).to.not.match(/given by|secret-1|\$argon2/)
  })

  it('filters by time, kind, actor, subject and outcome together, and forgets after a year', async () => {
    const before = new Date(auth.clock.now()).toISOString()
    await auth.clock.advance(1_000)
    await change(bob.user.id, { role: 'admin' })
    expect((await events({ from: new Date(auth.clock.now()).toISOString() })).map(({ kind }) => kind)).to.deep.equal(['account.changed'])
    expect(await events({ to: before })).to.deep.equal([])
    await codeOf(logIn('bob', 'not the password'))
    const kindsOf = async (query: Readonly<Record<string, string>>) => (await events(query)).map(({ kind }) => kind)
    expect(await kindsOf({ kind: 'account.changed', actor_id: admin.userId, subject_id: bob.user.id })).to.deep.equal(['account.changed'])
    expect(await kindsOf({ kind: 'account.changed', actor_id: bob.user.id })).to.deep.equal([])
    expect(await kindsOf({ outcome: 'failed', subject_id: bob.user.id })).to.deep.equal(['sign_in.failed'])
    expect(await kindsOf({ outcome: 'succeeded', subject_id: bob.user.id }))
      .to.include('account.changed')
      .and.not.include('sign_in.failed')
    expect(await codeOf(events({ from: new Date(auth.clock.now()).toISOString(), to: before }))).to.equal('invalid_request')
    await auth.clock.advance(366 * 86_400_000)
    for (const job of auth.jobs)
      if (job.id === 'kernel.prune-audit-events') await job.run({ signal: new AbortController().signal, epoch: 1 })
    expect(await events()).to.deep.equal([])
  })
})

describe('erasing what a deleted account leaves behind', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-users-'))
  })
  afterEach(async () => {
    await endTestStores()
    await rm(folder, { recursive: true, force: true })
  })

  const part = (id: string, erase: (userId: string) => Promise<void>): UserData => ({
    specVersion: 1,
    id,
    collections: [],
    async *export() {},
    erase,
    size: async () => ({ records: 0, bytes: 0 }),
  })

  it('asks every plugin once, tries again what failed, waits for those that do not run, and removes the files', async () => {
    const registry = new ContributionRegistry(createControlledClock(), createRecordingLog())
    const auth = await openAuthUnderTest({ contributions: registry, usersFolder: folder })
    const erased: string[] = []
    let broken = true
    const admit = (value: UserData) => registry.admit(value.id, [{ point: userData.id, key: value.id, value }])
    admit(part('steady', async (userId) => void erased.push(`steady ${userId}`)))
    admit(
      part('shaky', async (userId) => {
        if (broken) throw new Error('The disk is full.')
        erased.push(`shaky ${userId}`)
      }),
    )
    const admin = await auth.confirm((await auth.register('ada')).access_token)
    const { user } = await auth.register('bob')
    for (const handle of ['ada', 'bob']) {
      await mkdir(path.join(folder, handle, 'files'), { recursive: true })
      await writeFile(path.join(folder, handle, 'files', 'note.txt'), 'mine')
    }
    const erase = async (): Promise<void> => {
      for (const job of auth.jobs) if (job.id === 'kernel.erase-users') await job.run({ signal: new AbortController().signal, epoch: 1 })
    }

    await auth.call('deleteUser', { principal: admin, params: { user_id: user.id } })
    await erase()
    expect(erased).to.deep.equal([`steady ${user.id}`])
    expect(await readdir(folder)).to.deep.equal(['ada'])

    broken = false
    admit(part('late', async (userId) => void erased.push(`late ${userId}`)))
    await erase()
    await erase()
    expect(erased).to.deep.equal([`steady ${user.id}`, `late ${user.id}`, `shaky ${user.id}`])
    const [{ document } = { document: undefined }] = await auth.store.stored(userErasures)
    expect(document?.erased).to.have.members(['steady', 'shaky', 'late', 'files'])
  })
})
