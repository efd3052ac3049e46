import assert from 'node:assert/strict'
import {
  batchOf,
  commitWrites,
  expectCommitted,
  idsByIndex,
  idsByScan,
  noKeys,
  notes,
  put,
  readOne,
  remove,
  textOf,
} from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

/** The content of a store after a close, or without one. */
export function describeReopening({ runner, storeTest }: SuiteTopic): void {
  runner.describe('reopening', () => {
    storeTest('keeps data, layouts and revision', async (store) => {
      await store.connection.ensureCollection({ ...notes, version: 3 }, noKeys)
      await commitWrites(
        store.connection,
        put('a', { rank: '2', code: 'x', text: 'ä😀' }),
        put('b', { rank: '1', text: 'two' }),
        put('gone'),
      )
      const revision = await commitWrites(store.connection, remove('gone'))
      const before = await store.connection.read(notes.name, ['a', 'b', 'gone'])
      const connection = await store.reopen()
      assert.deepEqual(await connection.layouts(), [{ ...notes, version: 3 }])
      const after = await connection.read(notes.name, ['a', 'b', 'gone'])
      assert.deepEqual(
        after.map((record) => record && [record.id, record.revision, JSON.parse(record.body)]),
        before.map((record) => record && [record.id, record.revision, JSON.parse(record.body)]),
      )
      assert.equal(await connection.revision(), revision)
      assert.equal(await connection.count(notes.name), 2)
      assert.deepEqual(await idsByIndex(connection, 'by_rank'), ['b', 'a'])
      assert.equal((await connection.commit(batchOf(put('c', { code: 'x' })))).outcome, 'unique-violation')
    })

    storeTest('continues with larger revisions, even after everything was deleted or dropped', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      const first = await commitWrites(store.connection, put('a'))
      const second = await commitWrites(store.connection, remove('a'))
      await store.reopen()
      const third = await commitWrites(store.connection, put('a'))
      await store.connection.dropCollection(notes.name)
      await store.reopen()
      await store.connection.ensureCollection(notes, noKeys)
      const fourth = await commitWrites(store.connection, put('a'))
      assert.ok(first < second && second < third && third < fourth, `${first}, ${second}, ${third}, ${fourth}`)
    })

    storeTest('loses no acknowledged commit without a close', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      const writes = Array.from({ length: 40 }, (_, number) =>
        store.connection.commit(batchOf(put(`l${number}`, { text: String(number) }), put(`r${number}`, { text: String(number) }))),
      )
      for (const write of writes) expectCommitted(await write)
      const connection = await store.crash()
      assert.equal((await idsByScan(connection)).length, 80)
      assert.equal(textOf(await readOne(connection, 'r39')), '39')
    })
  })
}
