import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { databaseService } from '@agent-service/sdk/services/database'
import { createMemoryDatabase, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from '../index.js'
import { aChat, ada, openPlugin } from '../test-support/open-plugin.js'
import { createPlainBackend, type PlainBackend } from '../test-support/plain-backend.js'
import { copyUser } from './copy-user.js'
import { digestOf } from './digest.js'

const { signal } = new AbortController()
const admin = { principal: { userId: ada, username: 'ada', handle: 'ada', role: 'admin', scopes: ['read', 'write', 'admin'] } } as const
const path = '/api/admin/memory/migration'

describe('the move of memories to another back end', () => {
  let basic: PlainBackend
  let pkm: PlainBackend
  let database: ReturnType<typeof createMemoryDatabase>
  beforeEach(() => {
    basic = createPlainBackend('basic')
    pkm = createPlainBackend('pkm')
    database = createMemoryDatabase(plugin.collections)
  })

  /** A start of the service with one of the back ends in use, over the same data. */
  const start = async (backend: 'basic' | 'pkm') => {
    const opened = await openPlugin({ backend }, { basic, pkm, services: [[databaseService, database]] })
    for (const id of ['bob', 'eve']) opened.host.services.accounts.add({ ...testAccount, id, username: id, handle: id })
    const job = opened.host.contributed(schedulerJobs).find(({ id }) => id === 'memory.migrate')
    const migration = async () => {
      const answer = await opened.host.request(`GET ${path}`, admin)
      return answer.kind === 'json' ? (answer.json as { readonly migration: null | Readonly<Record<string, unknown>> }).migration : null
    }
    const add = (text: string, userId = ada) =>
      opened.host.request('POST /api/memory', { body: { text }, principal: { ...admin.principal, userId, role: 'user' } })
    return { ...opened, migration, add, work: async () => job?.run({ signal, epoch: 1 }) }
  }
  const textsOf = (of: PlainBackend, userId = ada): readonly string[] => of.records(userId).map(({ text }) => text)
  const begin = (opened: Awaited<ReturnType<typeof start>>, to: string) => opened.host.request(`POST ${path}`, { ...admin, body: { to } })
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'none',
      (error: { readonly code?: string }) => error.code ?? error,
    )

  it('copies while people go on, catches up after the restart, and empties the old one', async () => {
    const before = await start('basic')
    await before.add('Takes the train.')
    await before.add('Likes tea.', 'eve')
    expect((await begin(before, 'pkm')).status).to.equal(202)
    await before.work()
    expect(await before.migration()).to.include({ state: 'ready', users: 3, failed: 0, records: 2, error: null })
    expect(textsOf(pkm)).to.deep.equal(['Takes the train.'])
    // People go on until the restart: one is added, one forgotten.
    await before.add('Likes coffee.', 'eve')
    await before.host.request('DELETE /api/memory/{memory_id}', { ...admin, params: { memory_id: String(basic.records(ada)[0]?.id) } })
    await before.dispose()

    const after = await start('pkm')
    expect(await after.host.request('GET /api/memory/status')).to.have.nested.property('json.moving', true)
    await after.work()
    expect(await after.migration()).to.include({ state: 'done', users: 3, error: null })
    expect(textsOf(pkm, 'eve')).to.deep.equal(['Likes tea.', 'Likes coffee.'])
    expect(pkm.records(ada)).to.have.length(1)
    expect(pkm.records(ada)[0]).to.include({ forgotten: true, text: '' })
    expect([textsOf(basic), textsOf(basic, 'eve')]).to.deep.equal([[], []])
    await after.add('New.', 'eve')
    expect(textsOf(pkm, 'eve')).to.include('New.')
    expect([...after.standing]).to.deep.equal([])
    await after.dispose()
  })

  it('tells the other back end of chats that are not to be remembered, and of those that were not once', async () => {
    const before = await start('basic')
    const choose = (chat_id: string, remember: boolean) =>
      before.host.request('PUT /api/memory/chats/{chat_id}', { ...admin, params: { chat_id }, body: { remember } })
    for (const id of ['chat-1', 'chat-2', 'chat-3']) before.host.services.chats.put(ada, id, aChat)
    for (const id of ['chat-1', 'chat-2']) await choose(id, false)
    await before.host.services.clock.advance(60_000)
    await choose('chat-2', true)
    const at = new Date(before.host.services.clock.now()).toISOString()
    await begin(before, 'pkm')
    await before.work()
    await before.dispose()
    const after = await start('pkm')
    await after.work()
    expect(pkm.chatChanges.map(({ chatId, reason }) => `${chatId} ${reason}`)).to.deep.equal(['chat-1 excluded', 'chat-2 included'])
    expect(pkm.chatChanges[1]?.at, 'what was said until then is not learnt').to.equal(at)
    await after.dispose()
  })

  it('erases a user also in the copy of a back end that does not run, as soon as that can', async () => {
    const broken = new Set<string>()
    const opened = await openPlugin({ backend: 'basic' }, { basic, pkm, broken, services: [[databaseService, database]] })
    const [job] = opened.host.contributed(schedulerJobs).filter(({ id }) => id === 'memory.migrate')
    const [data] = opened.host.contributed(userData)
    await opened.host.request('POST /api/memory', { ...admin, body: { text: 'Takes the train.' } })
    await opened.host.request(`POST ${path}`, { ...admin, body: { to: 'pkm' } })
    await job?.run({ signal, epoch: 1 })
    expect([textsOf(pkm), [...opened.standing]]).to.deep.equal([['Takes the train.'], []])
    broken.add('pkm')
    const failure: unknown = await data?.erase(ada, { signal }).catch((error: unknown) => error)
    expect(failure).to.have.property('code', 'memory_remains')
    expect(failure).to.have.property('message').that.contains('“pkm”')
    expect([textsOf(basic), textsOf(pkm)]).to.deep.equal([[], ['Takes the train.']])
    broken.delete('pkm')
    await data?.erase(ada, { signal })
    expect([textsOf(pkm), [...opened.standing]]).to.deep.equal([[], []])
    await opened.dispose()
  })

  it('keeps no new holder of an account out for a copy in a back end that does not run', async () => {
    const broken = new Set<string>()
    const opened = await openPlugin({ backend: 'basic' }, { basic, pkm, broken, services: [[databaseService, database]] })
    const [job] = opened.host.contributed(schedulerJobs).filter(({ id }) => id === 'memory.migrate')
    const [data] = opened.host.contributed(userData)
    await opened.host.request('POST /api/memory', { ...admin, body: { text: 'Takes the train.' } })
    await opened.host.request(`POST ${path}`, { ...admin, body: { to: 'pkm' } })
    await job?.run({ signal, epoch: 1 })
    broken.add('pkm')
    const items = await data?.handOver?.(ada, { signal, name: 'before', setAside: async () => undefined })
    expect(items?.map(({ outcome }) => outcome)).to.deep.equal(['set_aside', 'kept'])
    expect(textsOf(basic)).to.deep.equal([])
    expect(await opened.host.request('GET /api/memory', admin)).to.deep.nested.include({ 'json.items': [] })
    await opened.dispose()
  })

  it('removes what a copy brings of a user who is erased meanwhile, also after a kill', async () => {
    const before = await start('basic')
    await before.add('Takes the train.', 'eve')
    await begin(before, 'pkm')
    const [data] = before.host.contributed(userData)
    const dying = new AbortController()
    let left = false
    pkm.onCall = (name) => {
      if (name !== 'import' || left) return
      left = true
      // The account is erased while its records are on their way, and the process dies before it looks again.
      const records = basic.records('eve')
      void data?.erase('eve', { signal }).then(async () => {
        await pkm.backend.import('eve', each(records), { signal })
        dying.abort(new Error('killed'))
      })
    }
    const job = before.host.contributed(schedulerJobs).find(({ id }) => id === 'memory.migrate')
    await job?.run({ signal: dying.signal, epoch: 1 }).catch((error: unknown) => expect(error).to.have.property('message', 'killed'))
    await new Promise<void>((resolve) => (dying.signal.aborted ? resolve() : dying.signal.addEventListener('abort', () => resolve())))
    pkm.onCall = undefined
    await before.dispose()
    expect(textsOf(pkm, 'eve')).to.deep.equal(['Takes the train.'])
    // The account is gone, so nothing goes through its memories again.
    const after = await openPlugin({ backend: 'basic' }, { basic, pkm, services: [[databaseService, database]] })
    const [next] = after.host.contributed(schedulerJobs).filter(({ id }) => id === 'memory.migrate')
    await next?.run({ signal, epoch: 1 })
    expect([textsOf(basic, 'eve'), textsOf(pkm, 'eve')]).to.deep.equal([[], []])
    expect(await after.host.request(`GET ${path}`, admin)).to.have.nested.property('json.migration.state', 'ready')
    expect([...after.standing]).to.deep.equal([])
    await after.dispose()
  })

  it('removes the copy of a migration that another one takes the place of', async () => {
    const tree = createPlainBackend('tree')
    const opened = await openPlugin({ backend: 'basic' }, { basic, pkm, tree, services: [[databaseService, database]] })
    const [job] = opened.host.contributed(schedulerJobs).filter(({ id }) => id === 'memory.migrate')
    await opened.host.request('POST /api/memory', { ...admin, body: { text: 'Takes the train.' } })
    for (const to of ['tree', 'pkm']) {
      await opened.host.request(`POST ${path}`, { ...admin, body: { to } })
      await job?.run({ signal, epoch: 1 })
    }
    expect([textsOf(tree), textsOf(pkm)]).to.deep.equal([[], ['Takes the train.']])
    expect(await opened.host.request(`GET ${path}`, admin)).to.have.nested.property('json.migration.state', 'ready')
    await opened.dispose()
  })

  it('holds the changes of a person until their memories are caught up, and serves those who wait first', async () => {
    const before = await start('basic')
    await before.add('Takes the train.')
    await begin(before, 'pkm')
    await before.work()
    await before.dispose()
    const after = await start('pkm')
    const adding = after.add('Likes tea.')
    expect(textsOf(pkm)).to.deep.equal(['Takes the train.'])
    await after.work()
    await after.host.services.clock.advance(200)
    expect(await adding).to.have.property('status', 201)
    expect(textsOf(pkm)).to.deep.equal(['Takes the train.', 'Likes tea.'])
    await after.dispose()
  })

  it('tells those who wait too long that memories are moving, and changes nothing', async () => {
    const before = await start('basic')
    await before.add('Takes the train.')
    await begin(before, 'pkm')
    await before.work()
    await before.dispose()
    const after = await start('pkm')
    const adding = codeOf(after.add('Likes tea.'))
    for (let waited = 0; waited < 25_000; waited += 1_000) await after.host.services.clock.advance(1_000)
    expect(await adding).to.equal('memory_moving')
    expect(textsOf(pkm)).to.deep.equal(['Takes the train.'])
    await after.dispose()
  })

  it('goes on where it was after a stop at any call of a back end', async () => {
    const first = await start('basic')
    for (const [text, userId] of [
      ['Takes the train.', ada],
      ['Likes tea.', 'bob'],
      ['Likes coffee.', 'eve'],
    ] as const)
      await first.add(text, userId)
    await begin(first, 'pkm')
    await first.dispose()
    // In every round one more call is let through before the process “dies”.
    let state: unknown = 'copying'
    for (let allowed = 1; state !== 'done' && allowed < 200; allowed += 1) {
      const inUse = state === 'copying' ? 'basic' : 'pkm'
      const opened = await start(inUse)
      const dying = new AbortController()
      const limit = basic.called.length + pkm.called.length + allowed
      const watch = (): void => {
        if (basic.called.length + pkm.called.length >= limit) dying.abort(new Error('killed'))
      }
      basic.onCall = watch
      pkm.onCall = watch
      const job = opened.host.contributed(schedulerJobs).find(({ id }) => id === 'memory.migrate')
      await job?.run({ signal: dying.signal, epoch: 1 }).catch((error: unknown) => expect(error).to.have.property('message', 'killed'))
      basic.onCall = undefined
      pkm.onCall = undefined
      state = (await opened.migration())?.['state']
      await opened.dispose()
    }
    expect(state).to.equal('done')
    expect([textsOf(pkm), textsOf(pkm, 'bob'), textsOf(pkm, 'eve')]).to.deep.equal([
      ['Takes the train.'],
      ['Likes tea.'],
      ['Likes coffee.'],
    ])
    expect([textsOf(basic), textsOf(basic, 'bob'), textsOf(basic, 'eve')]).to.deep.equal([[], [], []])
  })

  it('comes back with everything when it is made the other way round', async () => {
    const one = await start('basic')
    await one.add('Takes the train.')
    await begin(one, 'pkm')
    await one.work()
    await one.dispose()
    const two = await start('pkm')
    await two.work()
    await two.add('Likes tea.')
    await begin(two, 'basic')
    await two.work()
    await two.dispose()
    const three = await start('basic')
    await three.work()
    expect(await three.migration()).to.include({ state: 'done', from: 'pkm', to: 'basic' })
    expect([textsOf(basic), textsOf(pkm)]).to.deep.equal([['Takes the train.', 'Likes tea.'], []])
    await three.dispose()
  })

  it('fails where the other back end does not give back what it got, and can be given up', async () => {
    pkm = createPlainBackend('pkm', { damages: true })
    const opened = await start('basic')
    await opened.add('Takes the train.')
    await begin(opened, 'pkm')
    await opened.work()
    const migration = await opened.migration()
    expect(migration).to.include({ state: 'failed', failed: 1 })
    expect(migration?.['error']).to.contain('1 users could not be copied')
    expect((await opened.host.request(`DELETE ${path}`, admin)).status).to.equal(204)
    await opened.work()
    expect(await opened.migration()).to.equal(null)
    expect([textsOf(basic), textsOf(pkm)]).to.deep.equal([['Takes the train.'], []])
    expect([...opened.standing]).to.deep.equal([])
    await opened.dispose()
  })

  it('is not held up by a person who goes on changing memories, and catches them up after the restart', async () => {
    const before = await start('basic')
    await before.add('Takes the train.', 'bob')
    await before.add('Likes tea.')
    let number = 0
    pkm.onCall = (name) => {
      number += 1
      if (name === 'import')
        void basic.backend.remember({ userId: 'bob', scope: { kind: 'user' }, text: `${number}`, key: `${number}` }, { signal })
    }
    await begin(before, 'pkm')
    await before.work()
    pkm.onCall = undefined
    expect(await before.migration()).to.include({ state: 'ready', users: 3, failed: 0, error: null })
    await before.dispose()
    const after = await start('pkm')
    const texts = textsOf(basic, 'bob')
    expect(texts).to.have.length.above(3)
    await after.work()
    expect(await after.migration()).to.include({ state: 'done', error: null })
    expect(textsOf(pkm, 'bob')).to.deep.equal(texts)
    expect(textsOf(basic, 'bob')).to.deep.equal([])
    await after.dispose()
  })

  for (const kind of ['refused', 'broken'] as const)
    it(`gets everyone else through where one person’s import is ${kind}, and can be given up for that person`, async () => {
      const before = await start('basic')
      for (const userId of [ada, 'bob', 'eve']) await before.add(`Of ${userId}.`, userId)
      pkm.imports.set('bob', kind)
      await begin(before, 'pkm')
      await before.work()
      expect(await before.migration()).to.include({ state: 'failed', users: 3, failed: 1 })
      await before.dispose()
      // Who takes the other back end into use nevertheless does without this person's memories.
      const after = await start('pkm')
      await after.work()
      expect(await after.migration()).to.include({ state: 'finishing', failed: 1 })
      expect((await after.migration())?.['error'])
        .to.contain('1 users')
        .and.not.contain('secret-word')
      expect((await after.add('New.', 'eve')).status).to.equal(201)
      after.host.services.accounts.add({ ...testAccount, id: 'new', username: 'new', handle: 'new' })
      expect((await after.add('First.', 'new')).status).to.equal(201)
      await after.host.services.clock.advance(60_000)
      await after.work()
      expect(await after.migration()).to.include({ state: 'finishing', failed: 1 })
      const adding = codeOf(after.add('New.', 'bob'))
      for (let waited = 0; waited < 25_000; waited += 1_000) await after.host.services.clock.advance(1_000)
      expect(await adding).to.equal('memory_moving')
      expect((await after.host.request(`DELETE ${path}`, admin)).status).to.equal(204)
      await after.work()
      expect(await after.migration()).to.include({ state: 'done', failed: 1 })
      expect((await after.migration())?.['error']).to.contain('still in “basic”')
      expect((await after.add('New.', 'bob')).status).to.equal(201)
      expect([textsOf(pkm, 'eve'), textsOf(pkm, 'new'), textsOf(pkm, 'bob')]).to.deep.equal([['Of eve.', 'New.'], ['First.'], ['New.']])
      expect([textsOf(basic), textsOf(basic, 'bob'), textsOf(basic, 'eve')]).to.deep.equal([[], ['Of bob.'], []])
      // The only copy of them is not replaced on the way back.
      await begin(after, 'basic')
      await after.work()
      expect(await after.migration()).to.include({ state: 'failed', failed: 1 })
      expect(textsOf(basic, 'bob')).to.deep.equal(['Of bob.'])
      await after.host.request(`DELETE ${path}`, admin)
      await after.work()
      expect([textsOf(basic), textsOf(basic, 'bob'), textsOf(pkm, 'bob')]).to.deep.equal([[], ['Of bob.'], ['New.']])
      await after.dispose()
    })

  it('is interrupted while a back end fails, says so without its words, and goes on after a minute', async () => {
    const opened = await start('basic')
    await opened.add('Takes the train.')
    await begin(opened, 'pkm')
    pkm.fault = 'fail'
    await opened.work()
    const migration = await opened.migration()
    expect(migration).to.include({ state: 'copying' })
    expect(migration?.['error']).to.contain('“pkm” failed').and.not.contain('secret-word')
    pkm.fault = undefined
    await opened.work()
    expect(await opened.migration()).to.include({ state: 'copying' })
    await opened.host.services.clock.advance(60_000)
    await opened.work()
    expect(await opened.migration()).to.include({ state: 'ready', error: null })
    await opened.dispose()
  })

  it('is refused to the back end in use, beside another one, and to others than administrators', async () => {
    const opened = await start('basic')
    expect(await codeOf(begin(opened, 'basic'))).to.equal('memory_migration_refused')
    expect(await codeOf(opened.host.request(`DELETE ${path}`, admin))).to.equal('memory_migration_refused')
    expect(await codeOf(opened.host.request(`POST ${path}`, { body: { to: 'pkm' } }))).to.equal('route_refused')
    await begin(opened, 'pkm')
    expect(await codeOf(begin(opened, 'pkm'))).to.equal('memory_migration_refused')
    await opened.dispose()
    const after = await start('pkm')
    expect(await codeOf(after.host.request(`DELETE ${path}`, admin))).to.equal('memory_migration_refused')
    await after.dispose()
  })

  it('waits if the setting is changed back before its end, and ends once it is changed again', async () => {
    const one = await start('basic')
    await one.add('Takes the train.')
    await begin(one, 'pkm')
    await one.work()
    await one.dispose()
    const two = await start('pkm')
    basic.fault = 'fail'
    await two.work()
    basic.fault = undefined
    await two.dispose()
    const three = await start('basic')
    await three.work()
    expect(await three.migration()).to.include({ state: 'finishing' })
    expect((await three.migration())?.['error']).to.contain('Set it to “pkm” and restart')
    expect(await codeOf(begin(three, 'pkm'))).to.equal('memory_migration_refused')
    expect(textsOf(basic)).to.deep.equal(['Takes the train.'])
    await three.dispose()
    const four = await start('pkm')
    await four.work()
    expect(await four.migration()).to.include({ state: 'done', error: null })
    expect(textsOf(pkm)).to.deep.equal(['Takes the train.'])
    await four.dispose()
  })
})

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

describe('the copy of one user', () => {
  const callsOf = (plain: PlainBackend) => ({
    id: plain.backend.id,
    state: () => ({ id: plain.backend.id, available: false }) as const,
    call: <Result>(_: unknown, work: (backend: PlainBackend['backend'], signal: AbortSignal) => Promise<Result>) =>
      work(plain.backend, signal),
    stream: <Item>(_: unknown, work: (backend: PlainBackend['backend'], signal: AbortSignal) => AsyncIterable<Item>) =>
      work(plain.backend, signal),
  })

  it('is made again if memories change meanwhile, and left to be caught up if that does not end', async () => {
    const [source, target] = [createPlainBackend('source'), createPlainBackend('target')]
    const remember = (key: string) => source.backend.remember({ userId: ada, scope: { kind: 'user' }, text: key, key }, { signal })
    await remember('one')
    let changes = 1
    target.onCall = (name) => {
      if (name === 'import' && changes-- > 0) void remember(`change ${changes}`)
    }
    const ends = { source: callsOf(source), target: callsOf(target) }
    expect(await copyUser(ends, { userId: ada, known: undefined, signal })).to.include({ records: 2, wasCopied: true })
    changes = Number.POSITIVE_INFINITY
    let number = 0
    target.onCall = (name) => {
      number += 1
      if (name === 'import') void remember(`endless ${number}`)
    }
    expect(await copyUser(ends, { userId: ada, known: undefined, signal })).to.include({ outcome: 'changing' })
  })

  it('is compared by sums that know order from content', async () => {
    const source = createPlainBackend('source')
    for (const key of ['a', 'b', 'b2']) await source.backend.remember({ userId: ada, scope: { kind: 'user' }, text: key, key }, { signal })
    const records = source.records(ada)
    async function* stream(items: readonly (typeof records)[number][]) {
      yield* items
    }
    const one = await digestOf(stream(records))
    expect(await digestOf(stream([...records].reverse()))).to.deep.equal(one)
    const [first, ...rest] = records
    if (!first) throw new Error('There are no records.')
    expect((await digestOf(stream([{ ...first, text: 'c' }, ...rest]))).kept).to.not.equal(one.kept)
    expect(await digestOf(stream([{ ...first, title: 'T' }, ...rest])))
      .to.include({ kept: one.kept })
      .and.not.include({ full: one.full })
    const forgotten = { ...first, text: '', forgotten: true }
    const { kept } = await digestOf(stream([forgotten]))
    expect((await digestOf(stream([{ ...forgotten, pinned: true }]))).kept).to.equal(kept)
    expect((await digestOf(stream([{ ...forgotten, forgotten: false }]))).kept).to.not.equal(kept)
    expect((await digestOf(stream([first, first]))).kept).to.not.equal((await digestOf(stream(rest))).kept)
  })
})
