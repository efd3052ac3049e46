import { expect } from 'chai'
import { createGate } from '../database/testing/test-database.js'
import { eventFloors, storedEvents } from './event-records.js'
import { type EventsUnderTest, openEventsUnderTest, readStream, settle } from './testing/events-under-test.js'
import { endTestStores } from './testing/test-store.js'

const user = 'user-1'
const names = (seen: readonly { readonly name: string }[]): readonly string[] => seen.map(({ name }) => name)
const open = (opened: EventsUnderTest, after: number) => readStream((signal) => opened.streams.open(user, { after, signal }))
const stored = async (opened: EventsUnderTest): Promise<number> => (await opened.store.stored(storedEvents)).length

/** The first events that a client with this position gets. */
async function resume(opened: EventsUnderTest, after: number): Promise<readonly string[]> {
  const reader = open(opened, after)
  await settle()
  await reader.close()
  return names(reader.seen)
}

describe('the retention of events', () => {
  afterEach(endTestStores)

  it('keeps them over a restart, and new numbers are higher', async () => {
    const before = await openEventsUnderTest()
    const position = before.events.position(user)
    await before.commit(user, ['run.started', {}], ['message.created', {}])
    const last = before.delta(user)
    const after = await openEventsUnderTest({ store: before.store, clock: before.clock })
    expect(after.events.position(user)).to.be.greaterThan(last)
    await after.commit(user, ['run.completed', {}])
    expect(await resume(after, position)).to.deep.equal(['run.started', 'message.created', 'run.completed'])
    expect(await resume(after, last)).to.deep.equal(['run.completed'])
  })

  it('joins stored events and those in memory without a gap or a duplicate', async () => {
    const opened = await openEventsUnderTest({ limits: { tailEvents: 3 } })
    const position = opened.events.position(user)
    for (let round = 0; round < 6; round += 1) await opened.commit(user, ['message.created', { round }])
    const reader = open(opened, position)
    await opened.commit(user, ['run.completed', {}])
    await settle()
    expect(reader.seen.map(({ data, name }) => data['round'] ?? name)).to.deep.equal([0, 1, 2, 3, 4, 5, 'run.completed'])
    await reader.close()
  })

  it('keeps them for the time after the last connection ended', async () => {
    const opened = await openEventsUnderTest()
    const first = open(opened, opened.events.position(user))
    await opened.clock.advance(600_000)
    await opened.commit(user, ['run.started', {}])
    await settle()
    const position = first.seen.at(-1)?.id ?? 0
    await opened.commit(user, ['message.created', {}])
    await first.close()
    await opened.clock.advance(30_000)
    await opened.commit(user, ['message.updated', {}])
    await opened.clock.advance(29_000)
    await opened.prune()
    expect(await resume(opened, position)).to.deep.equal(['message.created', 'message.updated'])
  })

  it('keeps the unread events of a slow reader, counted from its disconnection', async () => {
    const opened = await openEventsUnderTest()
    const position = opened.events.position(user)
    const slow = opened.streams.open(user, { after: position, signal: new AbortController().signal })[Symbol.asyncIterator]()
    await opened.commit(user, ['run.started', {}])
    await opened.clock.advance(55_000)
    await slow.return?.()
    await opened.clock.advance(55_000)
    await opened.prune()
    expect(await resume(opened, position)).to.deep.equal(['run.started'])
  })

  it('keeps them for that time while connected, then deletes them and resets a client with an older position', async () => {
    const opened = await openEventsUnderTest()
    const position = opened.events.position(user)
    const reader = open(opened, position)
    await opened.commit(user, ['run.started', {}])
    await opened.clock.advance(59_000)
    await opened.prune()
    expect(await stored(opened)).to.equal(1)
    await opened.clock.advance(20_000)
    await opened.prune()
    expect(await stored(opened)).to.equal(0)
    await settle()
    const newest = reader.seen.at(-1)?.id ?? 0
    await reader.close()
    await opened.clock.advance(60_000)
    expect(await resume(opened, position)).to.deep.equal(['reset'])
    expect(await resume(opened, newest)).to.deep.equal([])
  })

  it('resets an older position after a restart too, and only that user', async () => {
    const before = await openEventsUnderTest()
    const position = before.events.position(user)
    await before.commit(user, ['run.started', {}])
    await before.clock.advance(200_000)
    await before.prune()
    const after = await openEventsUnderTest({ store: before.store, clock: before.clock })
    expect(await resume(after, position)).to.deep.equal(['reset'])
    const other = readStream((signal) => after.streams.open('user-2', { after: position, signal }))
    await settle()
    expect(other.seen).to.deep.equal([])
    await other.close()
  })

  it('counts a crash as the end of the connections: the time begins at the start', async () => {
    const before = await openEventsUnderTest()
    const position = before.events.position(user)
    await before.commit(user, ['run.started', {}])
    await before.clock.advance(50_000)
    const after = await openEventsUnderTest({ store: before.store, clock: before.clock })
    await after.clock.advance(59_000)
    await after.prune()
    expect(await resume(after, position)).to.deep.equal(['run.started'])
    await after.clock.advance(140_000)
    await after.prune()
    expect(await resume(after, position)).to.deep.equal(['reset'])
  })

  it('resets a client when an event was already expired at its commit', async () => {
    const opened = await openEventsUnderTest()
    const position = opened.events.position(user)
    const gate = createGate()
    opened.store.pause = () => gate.opened
    const committed = opened.commit(user, ['run.started', {}])
    await opened.clock.advance(200_000)
    gate.open()
    await committed
    await opened.prune()
    expect(await stored(opened)).to.equal(0)
    expect(await resume(opened, position)).to.deep.equal(['reset'])
  })

  it('prunes many events in batches, and raises the floor before it deletes', async () => {
    const opened = await openEventsUnderTest()
    for (let count = 0; count < 450; count += 1) await opened.commit(`user-${count % 3}`, ['message.created', { count }])
    await opened.clock.advance(200_000)
    await opened.commit('user-0', ['run.completed', {}])
    const kept = opened.events.position('user-0') - 1
    await opened.prune()
    expect(await stored(opened)).to.equal(1)
    expect(await opened.store.stored(eventFloors)).to.have.length(3)
    const reader = readStream((signal) => opened.streams.open('user-0', { after: kept, signal }))
    await settle()
    expect(names(reader.seen)).to.deep.equal(['run.completed'])
    await reader.close()
  })

  it('stores nothing with a time of 0, and always resets', async () => {
    const opened = await openEventsUnderTest({ retentionSeconds: 0 })
    const position = opened.events.position(user)
    const reader = readStream((signal) => opened.streams.open(user, { signal }))
    await opened.commit(user, ['run.started', {}])
    await settle()
    expect(names(reader.seen)).to.deep.equal(['run.started'])
    await reader.close()
    expect(await stored(opened)).to.equal(0)
    expect(opened.activeUsers()).to.equal(0)
    expect(await resume(opened, position)).to.deep.equal(['reset'])
    expect(await resume(opened, opened.events.position(user))).to.deep.equal(['reset'])
    expect(opened.activeUsers()).to.equal(0)
  })

  it('resets positions of a time without stored events, once events are kept again', async () => {
    const before = await openEventsUnderTest({ retentionSeconds: 0 })
    const position = before.events.position(user)
    await before.commit(user, ['run.started', {}])
    const after = await openEventsUnderTest({ store: before.store, clock: before.clock })
    expect(await resume(after, position)).to.deep.equal(['reset'])
    const current = after.events.position(user)
    await after.commit(user, ['run.completed', {}])
    const again = await openEventsUnderTest({ store: before.store, clock: before.clock })
    expect(await resume(again, position)).to.deep.equal(['reset'])
    expect(await resume(again, current)).to.deep.equal(['run.completed'])
  })

  it('drops the tails of the least recent users when all together take too much memory', async () => {
    const opened = await openEventsUnderTest({ limits: { totalBytes: 20_000 } })
    const position = opened.events.position(user)
    await opened.commit(user, ['run.started', {}])
    const lost = opened.delta(user)
    for (let count = 0; count < 20; count += 1) opened.delta('user-2', { text: 'x'.repeat(1_000) })
    expect(await resume(opened, position)).to.deep.equal(['run.started'])
    expect(lost).to.be.greaterThan(position)
  })

  it('erases a user’s events and floor, repeatedly, and no other user’s', async () => {
    const opened = await openEventsUnderTest()
    await opened.commit(user, ['run.started', {}], ['run.completed', {}])
    await opened.commit('user-2', ['run.started', {}])
    const [data] = opened.userData
    const { signal } = new AbortController()
    expect(await data?.size(user, { signal })).to.include({ records: 2 })
    await data?.erase(user, { signal })
    await data?.erase(user, { signal })
    expect(await data?.size(user, { signal })).to.deep.equal({ records: 0, bytes: 0 })
    expect(await stored(opened)).to.equal(1)
  })
})
