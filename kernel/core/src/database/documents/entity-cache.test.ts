import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { Collection } from '@agent-service/sdk/services/database'
import { defineCollection } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createControlledClock } from '../../clock/testing/index.js'
import { createGate, openTestDatabase, type TestDatabase, wrapDriver } from '../testing/test-database.js'
import { createEntityCache, maxCacheBytes } from './entity-cache.js'

interface Thing {
  readonly id: string
  readonly value: number
}

const things = defineCollection<Thing>()({ name: 'tests.things', version: 1, indexes: {} })

describe('the entity cache', () => {
  const clock = createControlledClock()
  let test: TestDatabase
  let collection: Collection<Thing>
  let reads = 0
  /** Awaited by a read after the driver has answered, and by a commit after it is durable. */
  let holdRead: Promise<void> | undefined
  let holdCommit: Promise<void> | undefined
  let readStarted = (): void => undefined
  let commitDurable = (): void => undefined

  const wrap = (connection: DatabaseConnection): DatabaseConnection => ({
    ...connection,
    async read(name, ids) {
      if (name === things.name) reads++
      const records = await connection.read(name, ids)
      readStarted()
      await holdRead
      return records
    },
    async commit(batch) {
      const result = await connection.commit(batch)
      commitDurable()
      await holdCommit
      return result
    },
  })

  const open = async (cache: { readonly ttlSeconds: number; readonly maxEntries: number }): Promise<void> => {
    test = await openTestDatabase({ driver: wrapDriver(createMemoryDatabaseDriver(), wrap), clock, cache })
    collection = (await test.database.openFor('tests', [things])).collection(things)
    reads = 0
  }
  afterEach(async () => {
    holdRead = undefined
    holdCommit = undefined
    await test.end()
  })

  it('answers a second read by id, and reads again after its time to live', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    await collection.insert({ id: 'a', value: 1 })
    const first = await collection.get('a')
    expect(await collection.get('a')).to.equal(first)
    expect(reads).to.equal(1)
    await clock.advance(299_999)
    await collection.get('a')
    expect(reads).to.equal(1)
    await clock.advance(2)
    await collection.get('a')
    expect(reads).to.equal(2)
  })

  it('is off when either setting is 0', async () => {
    for (const cache of [
      { ttlSeconds: 0, maxEntries: 10 },
      { ttlSeconds: 300, maxEntries: 0 },
    ]) {
      await open(cache)
      await collection.insert({ id: 'a', value: 1 })
      await collection.get('a')
      await collection.get('a')
      expect(reads).to.equal(2)
      if (cache.ttlSeconds === 0) await test.end()
    }
  })

  it('keeps at most the configured number of entries', async () => {
    await open({ ttlSeconds: 300, maxEntries: 2 })
    for (const id of ['a', 'b', 'c']) await collection.insert({ id, value: 1 })
    for (const id of ['a', 'b', 'c', 'a']) await collection.get(id)
    expect(reads).to.equal(4)
    await collection.get('c')
    expect(reads).to.equal(4)
  })

  it('does not cache that a document is absent', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    expect(await collection.get('a')).to.equal(undefined)
    await collection.insert({ id: 'a', value: 1 })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', value: 1 })
  })

  it('evicts a document when a write of it resolves', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    await collection.insert({ id: 'a', value: 1 })
    await collection.get('a')
    await collection.put({ id: 'a', value: 2 })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', value: 2 })
    await collection.delete('a')
    expect(await collection.get('a')).to.equal(undefined)
  })

  it('caches documents that a transaction replaced, not those that it inserted', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    await collection.insert({ id: 'old', value: 1 })
    const database = await test.database.openFor('tests', [things])
    await database.transaction(async (tx) => {
      tx.put(things, { id: 'old', value: 2 })
      tx.insert(things, { id: 'new', value: 1 })
    })
    reads = 0
    const entry = await collection.getEntry('old')
    expect(entry?.document).to.deep.equal({ id: 'old', value: 2 })
    expect(entry?.document).to.be.frozen
    expect(reads).to.equal(0)
    await collection.get('new')
    expect(reads).to.equal(1)
    // The revision is that of the commit: a write over it goes through.
    await collection.put({ id: 'old', value: 3 }, entry ? { revision: entry.revision } : {})
    expect(await collection.get('old')).to.deep.equal({ id: 'old', value: 3 })
  })

  it('caches nothing of a transaction that another write has overtaken, or that did not commit', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    await collection.insert({ id: 'a', value: 1 })
    const database = await test.database.openFor('tests', [things])
    const gate = createGate()
    holdCommit = gate.opened
    const durable = new Promise<void>((resolve) => {
      commitDurable = resolve
    })
    const first = database.transaction(async (tx) => tx.put(things, { id: 'a', value: 2 }))
    await durable
    const second = collection.put({ id: 'a', value: 3 })
    gate.open()
    await Promise.all([first, second])
    expect(await collection.get('a')).to.deep.equal({ id: 'a', value: 3 })
    const failed = database.transaction(async (tx) => {
      tx.put(things, { id: 'a', value: 4 })
      throw new Error('not today')
    })
    expect(await failed.catch((error: Error) => error.message)).to.equal('not today')
    expect(await collection.get('a')).to.deep.equal({ id: 'a', value: 3 })
  })

  it('does not cache an old document when a read was under way during a commit', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    await collection.insert({ id: 'a', value: 1 })
    const gate = createGate()
    const started = new Promise<void>((resolve) => {
      readStarted = resolve
    })
    holdRead = gate.opened
    const slow = collection.get('a')
    await started
    holdRead = undefined
    await collection.put({ id: 'a', value: 2 })
    gate.open()
    expect(await slow).to.deep.equal({ id: 'a', value: 1 })
    expect(await collection.get('a')).to.deep.equal({ id: 'a', value: 2 })
  })

  it('never returns the old document to a reader that has seen another part of the same commit', async () => {
    await open({ ttlSeconds: 300, maxEntries: 10 })
    for (const id of ['a', 'b']) await collection.insert({ id, value: 1 })
    await collection.get('a')
    const gate = createGate()
    const durable = new Promise<void>((resolve) => {
      commitDurable = resolve
    })
    holdCommit = gate.opened
    const database = await test.database.openFor('tests', [things])
    const writing = database.transaction(async (tx) => {
      tx.put(things, { id: 'a', value: 2 })
      tx.put(things, { id: 'b', value: 2 })
    })
    await durable
    // The commit is durable and not acknowledged yet: the store shows it, so the cache must not
    // hide it.
    expect([(await collection.get('b'))?.value, (await collection.get('a'))?.value]).to.deep.equal([2, 2])
    holdCommit = undefined
    gate.open()
    await writing
  })
})

describe('the size of the entity cache', () => {
  it('is limited in bytes, independent of the number of entries', () => {
    const cache = createEntityCache({ ttlSeconds: 300, maxEntries: 1_000_000_000, clock: createControlledClock() })
    const bytes = 8 * 1024 * 1024
    let kept = 0
    for (let index = 0; index < 100; index++) cache.beginFill({ collection: 'c', id: `${index}` })({ document: {}, revision: 1, bytes })
    for (let index = 0; index < 100; index++) if (cache.get({ collection: 'c', id: `${index}` })) kept++
    expect(kept).to.be.within(1, maxCacheBytes / bytes)
  })
})
