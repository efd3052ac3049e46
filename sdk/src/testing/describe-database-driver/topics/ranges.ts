import assert from 'node:assert/strict'
import type { RangePage, RangeQuery } from '../../../contracts/database-driver/index.js'
import { bytes, commitWrites, idsByIndex, noKeys, notes, put, remove, textOf } from '../support/suite-data.js'
import type { SuiteStore, SuiteTopic } from '../support/suite-store.js'
import { strangeIds } from './documents.js'

/** Keys whose order differs between unsigned bytes, signed bytes, text and length. */
const keys: readonly Uint8Array[] = [[], [0], [0, 0], [0, 255], [1], [97], [97, 0], [97, 98], [98], [127], [128], [255], [255, 255]].map(
  (key) => Uint8Array.from(key),
)

const nameOf = (key: Uint8Array): string => `k${Buffer.from(key).toString('hex')}`

async function fill({ connection }: SuiteStore): Promise<void> {
  await connection.ensureCollection(notes, noKeys)
  const shuffled = keys
    .map((key, position) => ({ key, place: (position * 7) % keys.length }))
    .sort((left, right) => left.place - right.place)
  await commitWrites(connection, ...shuffled.map(({ key }) => put(nameOf(key), { rank: key })), put('outside'))
}

const rangeOf = ({ connection }: SuiteStore, query: Partial<RangeQuery>): Promise<RangePage> =>
  connection.range({ collection: notes.name, index: 'by_rank', order: 'ascending', limit: 100, maximumBytes: 1 << 20, ...query })

const idsOf = (page: RangePage): string[] => page.records.map((record) => record.id)

/** Order and bounds of index pages. */
export function describeRanges({ runner, storeTest }: SuiteTopic): void {
  runner.describe('ranges', () => {
    storeTest('orders keys by unsigned bytes, in both directions', async (store) => {
      await fill(store)
      assert.deepEqual(idsOf(await rangeOf(store, {})), keys.map(nameOf))
      assert.deepEqual(idsOf(await rangeOf(store, { order: 'descending' })), keys.map(nameOf).reverse())
    })

    storeTest('orders equal keys by the bytes of ids, in both directions', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      await commitWrites(store.connection, ...strangeIds.map((id) => put(id, { rank: 'same' })))
      const sorted = [...strangeIds].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      assert.deepEqual(idsOf(await rangeOf(store, {})), sorted)
      assert.deepEqual(idsOf(await rangeOf(store, { order: 'descending' })), sorted.reverse())
    })

    storeTest('leaves out documents without a key', async (store) => {
      await fill(store)
      assert.ok(!idsOf(await rangeOf(store, {})).includes('outside'))
      assert.deepEqual(idsOf(await rangeOf(store, { index: 'by_code' })), [])
    })

    storeTest('includes the lower bound and excludes the upper', async (store) => {
      await fill(store)
      const expected = ['k61', 'k6100', 'k6162']
      assert.deepEqual(idsOf(await rangeOf(store, { lower: bytes('a'), upper: bytes('b') })), expected)
      assert.deepEqual(idsOf(await rangeOf(store, { lower: bytes('a'), upper: bytes('b'), order: 'descending' })), expected.reverse())
      assert.deepEqual(idsOf(await rangeOf(store, { lower: Uint8Array.of(128) })), ['k80', 'kff', 'kffff'])
      assert.deepEqual(idsOf(await rangeOf(store, { upper: Uint8Array.of(0, 0) })), ['k', 'k00'])
      assert.deepEqual(await rangeOf(store, { lower: bytes('b'), upper: bytes('a') }), { records: [], more: false })
    })

    storeTest('returns each record with its key, revision and body', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      const revision = await commitWrites(store.connection, put('a', { rank: Uint8Array.of(0, 200), text: 'whole' }))
      const { records } = await rangeOf(store, {})
      const [record] = records
      assert.ok(record)
      assert.equal(Buffer.from(record.key).toString('hex'), '00c8')
      assert.equal(record.revision, revision)
      assert.equal(textOf(record), 'whole')
    })

    storeTest('reports whether more is left, even at the exact limit', async (store) => {
      await fill(store)
      assert.equal((await rangeOf(store, { limit: keys.length - 1 })).more, true)
      assert.equal((await rangeOf(store, { limit: keys.length })).more, false)
      assert.equal((await rangeOf(store, { limit: keys.length })).records.length, keys.length)
      assert.equal((await rangeOf(store, { limit: 1, upper: Uint8Array.of(0) })).more, false)
    })

    storeTest('ends a page before its bytes exceed the limit, with at least one record', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      const writes = ['a', 'b', 'c', 'd'].map((id) => put(id, { rank: id, text: 'ä'.repeat(500) }))
      await commitWrites(store.connection, ...writes)
      const [first] = writes
      assert.ok(first?.kind === 'put')
      const size = Buffer.byteLength(first.body)
      const exactlyTwo = await rangeOf(store, { maximumBytes: 2 * size })
      assert.deepEqual([idsOf(exactlyTwo), exactlyTwo.more], [['a', 'b'], true])
      const almostTwo = await rangeOf(store, { maximumBytes: 2 * size - 1 })
      assert.deepEqual([idsOf(almostTwo), almostTwo.more], [['a'], true])
      const tiny = await rangeOf(store, { maximumBytes: 1 })
      assert.deepEqual([idsOf(tiny), tiny.more], [['a'], true])
      const last = await rangeOf(store, { maximumBytes: 1, lower: bytes('d') })
      assert.deepEqual([idsOf(last), last.more], [['d'], false])
    })

    storeTest('follows a document whose key changes', async (store) => {
      await fill(store)
      await commitWrites(store.connection, put(nameOf(bytes('a')), { rank: Uint8Array.of(255, 255, 255) }), put('k00'), remove('k'))
      const ids = await idsByIndex(store.connection, 'by_rank', { limit: 2 })
      assert.deepEqual(ids, [...keys.map(nameOf).filter((id) => !['k', 'k00', 'k61'].includes(id)), 'k61'])
    })

    storeTest('keeps keys although callers use their bytes again', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const given = bytes('m')
      await commitWrites(connection, put('a', { rank: given }), put('b', { rank: 'z' }))
      given.fill(255)
      const ranked = async () =>
        (await connection.range({ collection: notes.name, index: 'by_rank', order: 'ascending', limit: 9, maximumBytes: 1 << 20 })).records
      assert.deepEqual(
        (await ranked()).map(({ key, id }) => [Buffer.from(key).toString(), id]),
        [
          ['m', 'a'],
          ['z', 'b'],
        ],
      )
      for (const { key } of await ranked()) key.fill(255)
      assert.deepEqual(
        (await ranked()).map(({ key, id }) => [Buffer.from(key).toString(), id]),
        [
          ['m', 'a'],
          ['z', 'b'],
        ],
      )
      assert.equal((await connection.find(notes.name, 'by_rank', bytes('m')))?.id, 'a')
    })

    storeTest('finds no key by its beginning or by more than it has', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const long = 'k'.repeat(400)
      await commitWrites(connection, put('a', { rank: `${long}1`, code: `${long}1` }), put('b', { rank: `${long}2`, code: `${long}2` }))
      for (const index of ['by_rank', 'by_code'])
        for (const [key, id] of [
          [`${long}1`, 'a'],
          [`${long}2`, 'b'],
          [long, undefined],
          [`${long}11`, undefined],
        ] as const)
          assert.equal((await connection.find(notes.name, index, bytes(key)))?.id, id, `${index} by a key of ${key.length} bytes`)
    })

    storeTest('finds by key the first document by id', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('b', { rank: 'x', code: 'only' }), put('a', { rank: 'x' }), put('0', { rank: 'xx' }))
      assert.equal((await connection.find(notes.name, 'by_rank', bytes('x')))?.id, 'a')
      assert.equal((await connection.find(notes.name, 'by_code', bytes('only')))?.id, 'b')
      assert.equal(await connection.find(notes.name, 'by_rank', bytes('nothing')), undefined)
      await assert.rejects(connection.find(notes.name, 'by_absent', bytes('x')), /by_absent/)
    })
  })
}
