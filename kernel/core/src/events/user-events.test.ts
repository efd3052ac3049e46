import { expect } from 'chai'
import type { KernelDatabase } from '../database/open/kernel-database.js'
import { eventMisnamedError } from './errors.js'
import { type EventsUnderTest, openEventsUnderTest, readStream, settle } from './testing/events-under-test.js'
import { endTestStores, openTestStore } from './testing/test-store.js'
import type { EventOutbox } from './user-events.js'

const user = 'user-1'
const chat = { chat_id: 'chat-1' }

describe('UserEvents', () => {
  let opened: EventsUnderTest

  beforeEach(async () => {
    opened = await openEventsUnderTest()
  })

  afterEach(endTestStores)

  const live = (after?: number, chatId?: string, userId = user) =>
    readStream((signal) =>
      opened.streams.open(userId, { signal, ...(after === undefined ? {} : { after }), ...(chatId === undefined ? {} : { chatId }) }),
    )

  it('gives the outbox each state event with its index while the transaction runs, and all of them after the commit', async () => {
    const seen: unknown[] = []
    const outbox: EventOutbox = {
      keep: (_, { name }, position) => void seen.push(['keep', name, position]),
      committed: (events) => void seen.push(['committed', ...events.map(({ name }) => name)]),
    }
    const kept = await openEventsUnderTest({ outbox })
    await kept.commit(user, ['run.started', chat], ['run.completed', chat])
    kept.delta(user)
    expect(seen).to.deep.equal([
      ['keep', 'run.started', 0],
      ['keep', 'run.completed', 1],
      ['committed', 'run.started', 'run.completed'],
    ])
    kept.close()
  })

  it('publishes state events after their commit, in commit order, with deltas in between', async () => {
    const reader = live()
    await opened.commit(user, ['run.started', chat], ['message.created', { ...chat, n: 1 }])
    const first = opened.delta(user, { offset: 0 })
    const second = opened.delta(user, { offset: 5 })
    await opened.commit(user, ['run.completed', chat])
    await settle()
    expect(reader.seen.map(({ name }) => name)).to.deep.equal([
      'run.started',
      'message.created',
      'text.delta',
      'text.delta',
      'run.completed',
    ])
    const ids = reader.seen.map(({ id }) => id)
    expect(ids).to.deep.equal([...ids].sort((a, b) => a - b))
    expect(new Set(ids).size).to.equal(5)
    expect(ids.slice(2, 4)).to.deep.equal([first, second])
    expect(reader.seen[1]?.data).to.deep.equal({ ...chat, n: 1 })
    await reader.close()
  })

  it('publishes nothing of a transaction that throws', async () => {
    const reader = live()
    const failed = opened.store.database.transaction(async (transaction) => {
      opened.events.record(transaction, { userId: user, name: 'run.started', data: chat })
      throw new Error('no')
    })
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('no')
    await opened.commit(user, ['run.completed', chat])
    await settle()
    expect(reader.seen.map(({ name }) => name)).to.deep.equal(['run.completed'])
    await reader.close()
  })

  it('keeps users apart, and gives every tab of a user everything', async () => {
    const tabs = [live(), live(), live()]
    const stranger = live(undefined, undefined, 'user-2')
    await opened.commit(user, ['run.started', chat])
    opened.delta(user)
    await settle()
    for (const tab of tabs) expect(tab.seen.map(({ name }) => name)).to.deep.equal(['run.started', 'text.delta'])
    expect(stranger.seen).to.deep.equal([])
    await Promise.all([...tabs, stranger].map((reader) => reader.close()))
  })

  it('filters live and missed events by chat', async () => {
    const position = opened.events.position(user)
    await opened.commit(user, ['run.started', { chat_id: 'a' }], ['run.started', { chat_id: 'b' }], ['notification.created', {}])
    const reader = live(position, 'a')
    await opened.commit(user, ['run.completed', { chat_id: 'b' }], ['run.completed', { chat_id: 'a' }])
    await settle()
    expect(reader.seen.map(({ name, data }) => [name, data])).to.deep.equal([
      ['run.started', { chat_id: 'a' }],
      ['run.completed', { chat_id: 'a' }],
    ])
    await reader.close()
  })

  it('returns the position from which a stream continues without a gap, deltas included', async () => {
    await opened.commit(user, ['run.started', chat])
    opened.delta(user, { offset: 0 })
    const position = opened.events.position(user)
    const delta = opened.delta(user, { offset: 9 })
    const reader = live(position)
    const next = opened.delta(user, { offset: 12 })
    await settle()
    expect(reader.seen.map(({ id }) => id)).to.deep.equal([delta, next])
    await reader.close()
  })

  it('resumes after any event with exactly what followed', async () => {
    const whole = live()
    for (let round = 0; round < 5; round += 1) {
      await opened.commit(user, ['message.created', { round }], ['message.updated', { round }])
      opened.delta(user, { round })
    }
    await settle()
    for (const [index, { id }] of whole.seen.entries()) {
      const reader = live(id)
      await settle()
      expect(reader.seen).to.deep.equal(whole.seen.slice(index + 1))
      await reader.close()
    }
    await whole.close()
  })

  it('answers a position that never existed with a reset, then continues live', async () => {
    await opened.commit(user, ['run.started', chat])
    const reader = live(opened.events.position(user) + 1)
    await settle()
    expect(reader.seen).to.deep.equal([{ id: opened.events.position(user), name: 'reset', data: { reason: 'not_kept' } }])
    await opened.commit(user, ['run.completed', chat])
    await settle()
    expect(reader.seen.map(({ name }) => name)).to.deep.equal(['reset', 'run.completed'])
    await reader.close()
  })

  it('resets a reader that is too slow, ends its stream, and lets it resume from there', async () => {
    opened = await openEventsUnderTest({ limits: { queueEvents: 10 } })
    const controller = new AbortController()
    const slow = opened.streams.open(user, { signal: controller.signal })
    for (let count = 0; count < 11; count += 1) opened.delta(user, { count })
    const got = []
    for await (const event of slow) got.push(event)
    const position = opened.events.position(user)
    expect(got).to.deep.equal([{ id: String(position), event: 'reset', data: '{"reason":"too_slow"}' }])
    await opened.commit(user, ['run.completed', chat])
    const again = live(position)
    await settle()
    expect(again.seen.map(({ name }) => name)).to.deep.equal(['run.completed'])
    await again.close()
  })

  it('also limits the queue of a reader that never reads in bytes', async () => {
    opened = await openEventsUnderTest({ limits: { queueBytes: 10_000 } })
    const iterator = opened.streams.open(user, { signal: new AbortController().signal })[Symbol.asyncIterator]()
    for (let count = 0; count < 5; count += 1) opened.delta(user, { text: 'x'.repeat(2_000) })
    const first = await iterator.next()
    expect(first.value).to.include({ event: 'reset' })
    expect((await iterator.next()).done).to.equal(true)
  })

  it('ends when the signal is aborted or the iteration is, at once and also while it waits', async () => {
    const controller = new AbortController()
    const waiting = opened.streams.open(user, { signal: controller.signal })[Symbol.asyncIterator]().next()
    controller.abort()
    expect((await waiting).done).to.equal(true)
    const iterator = opened.streams.open(user, { signal: new AbortController().signal })[Symbol.asyncIterator]()
    const next = iterator.next()
    await iterator.return?.()
    expect((await next).done).to.equal(true)
    expect((await iterator.next()).done).to.equal(true)
    const aborted = opened.streams.open(user, { signal: controller.signal })[Symbol.asyncIterator]()
    expect((await aborted.next()).done).to.equal(true)
  })

  it('announces to everyone with an open stream, or one that may be resumed, and to nobody else', async () => {
    const [one, other, gone] = ['user-1', 'user-2', 'user-3'].map((id) => live(undefined, undefined, id))
    await opened.commit('user-3', ['run.started', chat])
    await settle()
    await gone?.close()
    await opened.events.announce({ name: 'console.panels_changed', data: {} })
    await settle()
    for (const reader of [one, other]) expect(reader?.seen.map(({ name }) => name)).to.deep.equal(['console.panels_changed'])
    const resumed = live(gone?.seen[0]?.id, undefined, 'user-3')
    await settle()
    expect(resumed.seen.map(({ name }) => name)).to.deep.equal(['console.panels_changed'])
    for (const reader of [one, other, resumed]) await reader?.close()
    await opened.clock.advance(60_000)
    await opened.events.announce({ name: 'console.panels_changed', data: {} })
    expect(opened.activeUsers()).to.equal(0)
  })

  it('announces to more users than one commit takes', async () => {
    for (let count = 0; count < 450; count += 1) opened.delta(`user-${count}`)
    const readers = ['user-0', 'user-449'].map((id) => live(undefined, undefined, id))
    await opened.events.announce({ name: 'console.panels_changed', data: {} })
    await settle()
    for (const { seen } of readers) expect(seen).to.have.length(1)
  })

  it('announces nothing to a user who was erased', async () => {
    const reader = live()
    await opened.commit(user, ['run.started', chat])
    await settle()
    await reader.close()
    const signal = new AbortController().signal
    for (const data of opened.userData) await data.erase(user, { signal } as never)
    expect(opened.activeUsers()).to.equal(0)
  })

  it('takes no memory for disconnected users', async () => {
    for (let count = 0; count < 100; count += 1) opened.delta(`user-${count}`)
    const reader = live(undefined, undefined, 'user-0')
    expect(opened.activeUsers()).to.equal(100)
    await opened.clock.advance(60_000)
    expect(opened.activeUsers()).to.equal(1)
    await reader.close()
    await opened.clock.advance(60_000)
    expect(opened.activeUsers()).to.equal(0)
    expect(opened.clock.pending()).to.equal(0)
  })

  it('resets every reader when the store violates its commit order', async () => {
    const store = await openTestStore()
    let shift = 10
    const kernelDatabase: Pick<KernelDatabase, 'kernelView'> = {
      kernelView(transaction) {
        const view = store.kernelDatabase.kernelView(transaction)
        return { ...view, afterCommit: (callback) => view.afterCommit((revision) => callback(revision + shift)) }
      },
    }
    opened = await openEventsUnderTest({ store, kernelDatabase })
    const reader = live()
    await opened.commit(user, ['run.started', chat])
    shift = 5
    await opened.commit(user, ['run.completed', chat])
    await reader.ended
    expect(reader.seen.at(-1)?.name).to.equal('reset')
    expect(opened.log.lines.some(({ level }) => level === 'error')).to.equal(true)
  })

  it('refuses a delta that is recorded, and a state event that is published', () => {
    expect(() => opened.events.publishDelta({ userId: user, name: 'run.started', data: {} }))
      .to.throw()
      .that.satisfies(eventMisnamedError.isInstance)
  })

  it('refuses a delta in a transaction before anything is written', async () => {
    const failure = await opened.store.database
      .transaction(async (transaction) => opened.events.record(transaction, { userId: user, name: 'text.delta', data: {} }))
      .catch((error: unknown) => error)
    expect(eventMisnamedError.isInstance(failure)).to.equal(true)
  })
})
