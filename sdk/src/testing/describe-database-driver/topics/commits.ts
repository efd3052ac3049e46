import assert from 'node:assert/strict'
import {
  batchOf,
  commitWrites,
  expectCommitted,
  idsByIndex,
  labels,
  noKeys,
  notes,
  put,
  readOne,
  remove,
  textOf,
} from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

/** Atomicity, order and revisions of commits. */
export function describeCommits({ runner, storeTest }: SuiteTopic): void {
  runner.describe('commits', () => {
    storeTest('give every document of a batch the revision of the commit', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(labels, () => [null])
      const revision = await commitWrites(connection, put('a'), put('b'), {
        kind: 'put',
        collection: labels.name,
        id: 'a',
        body: '{}',
        keys: [null],
      })
      const records = [...(await connection.read(notes.name, ['a', 'b'])), ...(await connection.read(labels.name, ['a']))]
      assert.deepEqual(
        records.map((record) => record?.revision),
        [revision, revision, revision],
      )
      assert.equal(await connection.revision(), revision)
    })

    storeTest('increase the revision, and do not reuse one after deletes', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const first = await commitWrites(connection, put('a'))
      const second = await commitWrites(connection, remove('a'))
      const third = await commitWrites(connection, put('a'))
      assert.ok(0 < first && first < second && second < third, `${first}, ${second}, ${third}`)
    })

    storeTest('may be empty', async ({ connection }) => {
      const first = expectCommitted(await connection.commit({ checks: [], writes: [] }))
      const second = expectCommitted(await connection.commit({ checks: [], writes: [] }))
      assert.ok(second > first)
    })

    storeTest('happen in the order of the calls', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, number) => connection.commit(batchOf(put('a', { text: String(number) })))),
      )
      const revisions = results.map(expectCommitted)
      assert.deepEqual(
        revisions,
        [...revisions].sort((left, right) => left - right),
      )
      assert.equal(new Set(revisions).size, 50)
      assert.equal(textOf(await readOne(connection, 'a')), '49')
    })

    storeTest('judge each batch after those called before it', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const results = await Promise.all([
        connection.commit(batchOf(put('a', { code: 'x' }))),
        connection.commit({ checks: [{ kind: 'revision', collection: notes.name, id: 'a', revision: 0 }], writes: [put('b')] }),
        connection.commit(batchOf(put('c', { code: 'x' }))),
        connection.commit(batchOf(remove('a'))),
        connection.commit(batchOf(put('d', { code: 'x' }))),
      ])
      assert.deepEqual(
        results.map((result) => result.outcome),
        ['committed', 'conflict', 'unique-violation', 'committed', 'committed'],
      )
      const records = await connection.read(notes.name, ['a', 'b', 'c', 'd'])
      assert.deepEqual(
        records.map((record) => record?.id),
        [undefined, undefined, undefined, 'd'],
      )
    })

    storeTest('of thousands of writes are one piece', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const writes = Array.from({ length: 1500 }, (_, number) =>
        put(`d${String(number).padStart(5, '0')}`, { rank: `r${number % 7}`, code: `c${number}` }),
      )
      const revision = await commitWrites(connection, ...writes)
      assert.equal(await connection.count(notes.name), 1500)
      assert.equal((await readOne(connection, 'd01499'))?.revision, revision)
      const refused = await connection.commit(
        batchOf(...writes.map((write) => remove(write.id)), put('other', { code: 'fresh' }), put('last', { code: 'fresh' })),
      )
      assert.equal(refused.outcome, 'unique-violation')
      assert.equal(await connection.count(notes.name), 1500)
      assert.equal((await idsByIndex(connection, 'by_rank')).length, 1500)
    })
  })
}
