import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { expect } from 'chai'
import { createAuditLog } from '../audit/audit-log.js'
import { auditEvents } from '../audit/audit-records.js'
import { userErasures } from '../records/records.js'
import { type AuthUnderTest, openAuthUnderTest } from '../testing/auth-under-test.js'
import { settleMs } from './account-names.js'
import { eraseNames } from './erase-names.js'

const erase = async (auth: AuthUnderTest): Promise<void> => {
  const job = auth.jobs.find(({ id }: SchedulerJob) => id === 'kernel.erase-users')
  await job?.run({ signal: new AbortController().signal, epoch: 1 })
}

describe('the names of a deleted account', () => {
  const open = async () => {
    const auth = await openAuthUnderTest()
    const audit = createAuditLog({ database: auth.store.database, clock: auth.clock })
    const log = async (): Promise<string> => JSON.stringify((await auth.store.stored(auditEvents)).map(({ document }) => document))
    const erasure = async () => (await auth.store.stored(userErasures))[0]?.document
    return { auth, audit, log, erasure }
  }

  it('are in no entry, former ones and later entries included, and are forgotten then', async () => {
    const { auth, audit, log, erasure } = await open()
    const admin = await auth.confirm((await auth.register('ada')).access_token)
    const { user, access_token } = await auth.register('builder', { email: 'bob@builder.example', name: 'Bob Builder' })
    let principal = await auth.confirm(access_token)
    await auth.call('changeUsername', { principal, body: { username: 'robert' } })
    principal = await auth.principal(access_token)
    await auth.call('changeUsername', { principal, body: { username: 'wendy' } })
    await auth.call('changeUser', {
      principal: admin,
      params: { user_id: user.id },
      body: { name: 'Rob B.', email: 'rob@builder.example' },
    })
    const noted = (details: Parameters<typeof audit.noteFor>[1]['details'], actor: string | null) =>
      audit.noteFor('plugin', {
        kind: 'note.shared',
        actor: { userId: actor, address: null },
        subjectId: null,
        ...(details ? { details } : {}),
      })
    await noted({ text: 'Bob Builder, now wendy, was robert', deep: [{ path: '/users/builder/x' }] }, user.id)
    await noted({ users: ['ada', 'wendy'], mail: 'sent to rob@builder.example', path: 'users/builder/files/a' }, admin.userId)
    await noted({ title: 'a builder for robert' }, admin.userId)

    await auth.call('deleteUser', { principal: admin, params: { user_id: user.id } })
    await erase(auth)
    const names = /wendy|rob@|bob@|Bob Builder|Rob B\.|users\/builder/
    expect(await log()).to.not.match(names)
    expect(await log(), 'the words of others stay').to.contain('a builder for robert')
    expect((await erasure())?.names_sealed)
      .to.be.a('string')
      .that.does.not.match(names)

    // A command wrote its entry to a file before, and it is added now.
    const [first] = (await auth.store.stored(auditEvents)).map(({ document }) => document)
    if (!first) throw new Error('Nothing was noted.')
    const at = new Date(auth.clock.now()).toISOString()
    await auth.clock.advance(60_000)
    await noted({ text: 'later' }, null)
    await erase(auth)
    await audit.take({
      ...first,
      id: '0190aaaa-0000-7000-8000-000000000001',
      at,
      actor_id: null,
      subject_id: null,
      details: { username: 'wendy' },
    })
    await noted({ username: 'wendy' }, null)
    await noted({ text: 'robert' }, user.id)
    await auth.clock.advance(settleMs)
    await erase(auth)
    expect(await log()).to.not.match(/wendy|"robert"/)
    const done = await erasure()
    expect([done?.names_sealed, done?.erased.includes('audit-names')]).to.deep.equal([null, true])
  })

  it('are taken out a page at a time, from where the last reading ended', async () => {
    const { auth, audit, log } = await open()
    const { database } = auth.store
    for (let index = 0; index < 250; index += 1) {
      await audit.noteFor('plugin', {
        kind: 'note.shared',
        actor: { userId: 'bob-id', address: null },
        subjectId: null,
        details: { text: `bob ${index}` },
      })
      await auth.clock.advance(1_000)
    }
    const account = { id: 'bob-id', names: [{ kind: 'username' as const, text: 'bob', from: null, to: null }] }
    const read: string[] = []
    const crash = new Error('The process ends.')
    const { signal } = new AbortController()
    const onPage = async (to: string): Promise<void> => {
      read.push(to)
      if (read.length === 2) throw crash
    }
    const first = await eraseNames(database, account, { from: null, onPage, signal }).catch((error: unknown) => error)
    expect(first).to.equal(crash)
    expect((await log()).match(/bob \d/g)).to.have.length(50)
    const pages: string[] = []
    await eraseNames(database, account, { from: read[1] ?? null, onPage: async (to) => void pages.push(to), signal })
    expect(pages, 'only the rest is read').to.have.length(1)
    expect(await log()).to.not.match(/bob \d/)
  })

  it('are those that are known of an erasure of an earlier release', () => {
    const [migration] = userErasures.migrations ?? []
    expect(migration?.migrate({ id: 'bob-id', handle: 'bob', requested_at: '2026-01-01T00:00:00.000Z', erased: ['files'] })).to.deep.equal({
      ...{ id: 'bob-id', handle: 'bob', requested_at: '2026-01-01T00:00:00.000Z', erased: ['files'] },
      names_sealed: null,
      has_earlier_names: false,
      audit_read_to: null,
    })
  })

  it('stay where another account has taken the name soon after', async () => {
    const { auth, audit, log } = await open()
    const admin = await auth.confirm((await auth.register('ada')).access_token)
    const { user, access_token } = await auth.register('bob')
    await auth.call('changeUsername', { principal: await auth.confirm(access_token), body: { username: 'wendy' } })
    await auth.clock.advance(1_000)
    await auth.call('deleteUser', { principal: admin, params: { user_id: user.id } })
    await auth.clock.advance(1_000)
    await auth.register('wendy')
    await audit.noteFor('plugin', {
      kind: 'note.shared',
      actor: { userId: null, address: null },
      subjectId: null,
      details: { username: 'wendy' },
    })
    await auth.clock.advance(settleMs)
    await erase(auth)
    expect((await log()).match(/"username":"wendy"/g), 'its creation, and what names it').to.have.length(2)
    expect(await log()).to.not.contain('bob')
  })
})
