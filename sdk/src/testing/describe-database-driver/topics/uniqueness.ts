import assert from 'node:assert/strict'
import { batchOf, bytes, commitWrites, copied, copies, noKeys, notes, put, readOne, remove, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

/**
 * Unique indexes. They are judged by the state after the whole batch: within one batch a key may
 * move from one document to another.
 */
export function describeUniqueness({ runner, storeTest }: SuiteTopic): void {
  runner.describe('unique indexes', () => {
    storeTest('refuse a key that another document has, naming index and document', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x' }))
      const refused = await connection.commit(batchOf(put('b', { code: 'x' })))
      assert.deepEqual(refused, { outcome: 'unique-violation', collection: notes.name, index: 'by_code', id: 'b' })
      assert.equal(await readOne(connection, 'b'), undefined)
      assert.equal((await connection.find(notes.name, 'by_code', bytes('x')))?.id, 'a')
    })

    storeTest('let a document keep its own key, and plain indexes repeat keys', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x', rank: 'r' }))
      await commitWrites(connection, put('a', { code: 'x', rank: 'r', text: 'again' }), put('b', { rank: 'r' }))
      assert.equal(textOf(await readOne(connection, 'a')), 'again')
    })

    storeTest('leave out documents without a key', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a'), put('b'), put('c'))
      assert.equal(await connection.count(notes.name), 3)
    })

    storeTest('free a key by delete and by change', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x' }), put('b', { code: 'y' }))
      await commitWrites(connection, remove('a'))
      await commitWrites(connection, put('b', { code: 'z' }))
      await commitWrites(connection, put('c', { code: 'x' }), put('d', { code: 'y' }))
      assert.equal((await connection.commit(batchOf(put('e', { code: 'z' })))).outcome, 'unique-violation')
    })

    storeTest('leave nothing of a batch that breaks them', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x', text: 'before' }), put('gone', { rank: 'r' }))
      const refused = await connection.commit(
        batchOf(put('a', { code: 'new', text: 'after' }), remove('gone'), put('b', { code: 'y' }), put('c', { code: 'y' })),
      )
      assert.deepEqual([refused.outcome, refused.outcome === 'unique-violation' && refused.index], ['unique-violation', 'by_code'])
      assert.equal(textOf(await readOne(connection, 'a')), 'before')
      assert.deepEqual(
        (await connection.read(notes.name, ['gone', 'b', 'c'])).map((record) => record?.id),
        ['gone', undefined, undefined],
      )
      assert.equal(await connection.find(notes.name, 'by_code', bytes('new')), undefined)
      assert.equal((await connection.find(notes.name, 'by_code', bytes('x')))?.id, 'a')
      assert.equal(await connection.count(notes.name), 2)
    })

    storeTest('let two documents swap keys in one batch', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x' }), put('b', { code: 'y' }), put('c', { code: 'z' }))
      await commitWrites(connection, put('a', { code: 'y' }), put('b', { code: 'x' }))
      assert.equal((await connection.find(notes.name, 'by_code', bytes('x')))?.id, 'b')
      assert.equal((await connection.find(notes.name, 'by_code', bytes('y')))?.id, 'a')
      await commitWrites(connection, put('a', { code: 'x' }), put('b', { code: 'z' }), put('c', { code: 'y' }))
      const owners = await Promise.all(['x', 'y', 'z'].map((code) => connection.find(notes.name, 'by_code', bytes(code))))
      assert.deepEqual(
        owners.map((owner) => owner?.id),
        ['a', 'c', 'b'],
      )
    })

    storeTest('let a key go to another document in the batch that deletes its owner, in either order', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { code: 'x' }))
      await commitWrites(connection, put('b', { code: 'x' }), remove('a'))
      await commitWrites(connection, remove('b'), put('c', { code: 'x' }))
      assert.equal((await connection.find(notes.name, 'by_code', bytes('x')))?.id, 'c')
      assert.equal(await connection.count(notes.name), 1)
    })

    storeTest('are of one collection, also where a batch writes two with the same names of indexes', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(copies, noKeys)
      await commitWrites(connection, put('a', { code: 'x' }), copied(put('b', { code: 'x' })))
      await commitWrites(connection, copied(put('c', { code: 'y' })))
      assert.equal((await connection.find(notes.name, 'by_code', bytes('x')))?.id, 'a')
      assert.equal((await connection.find(copies.name, 'by_code', bytes('x')))?.id, 'b')
      assert.equal(await connection.find(notes.name, 'by_code', bytes('y')), undefined)
      for (const writes of [
        [put('d', { code: 'z' }), copied(put('d', { code: 'y' }))],
        [copied(put('d', { code: 'y' })), put('d', { code: 'z' })],
      ]) {
        const refused = await connection.commit(batchOf(...writes))
        assert.deepEqual(refused, { outcome: 'unique-violation', collection: copies.name, index: 'by_code', id: 'd' })
      }
      assert.equal(await readOne(connection, 'd'), undefined)
    })

    storeTest('let exactly one of several racing writers win', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, number) => connection.commit(batchOf(put(`d${number}`, { code: 'only' })))),
      )
      assert.equal(results.filter((result) => result.outcome === 'committed').length, 1)
      assert.equal(await connection.count(notes.name), 1)
    })
  })
}
