import assert from 'node:assert/strict'
import type { CommitCheck } from '../../../contracts/database-driver/index.js'
import { batchOf, bytes, commitWrites, noKeys, notes, put, readOne, remove, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

const revisionIs = (id: string, revision: number): CommitCheck => ({ kind: 'revision', collection: notes.name, id, revision })
const keyAbsent = (index: string, key: string): CommitCheck => ({ kind: 'key-absent', collection: notes.name, index, key: bytes(key) })

/** Conditions that must hold when a commit begins. */
export function describeChecks({ runner, storeTest }: SuiteTopic): void {
  runner.describe('checks', () => {
    storeTest('of a revision pass only for that revision', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const first = await commitWrites(connection, put('a', { text: 'one' }))
      const good = await connection.commit({ checks: [revisionIs('a', first)], writes: [put('a', { text: 'two' })] })
      assert.equal(good.outcome, 'committed')
      const stale = await connection.commit({ checks: [revisionIs('a', first)], writes: [put('a', { text: 'three' })] })
      assert.deepEqual(stale, { outcome: 'conflict', check: revisionIs('a', first) })
      assert.equal(textOf(await readOne(connection, 'a')), 'two')
      const gone = await connection.commit({ checks: [revisionIs('absent', first)], writes: [put('b')] })
      assert.equal(gone.outcome, 'conflict')
    })

    storeTest('of revision 0 pass only if the document does not exist', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      assert.equal((await connection.commit({ checks: [revisionIs('a', 0)], writes: [put('a', { text: 'one' })] })).outcome, 'committed')
      assert.equal((await connection.commit({ checks: [revisionIs('a', 0)], writes: [put('a', { text: 'two' })] })).outcome, 'conflict')
      assert.equal(textOf(await readOne(connection, 'a')), 'one')
      await commitWrites(connection, remove('a'))
      assert.equal((await connection.commit({ checks: [revisionIs('a', 0)], writes: [put('a', { text: 'three' })] })).outcome, 'committed')
    })

    storeTest('of an absent key pass only if no document has it', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { rank: 'used', code: 'unique' }))
      for (const check of [keyAbsent('by_rank', 'used'), keyAbsent('by_code', 'unique')]) {
        const refused = await connection.commit({ checks: [check], writes: [put('b')] })
        assert.equal(refused.outcome, 'conflict')
        assert.deepEqual(
          refused.outcome === 'conflict' && refused.check.kind === 'key-absent' && refused.check.index,
          check.kind === 'key-absent' && check.index,
        )
      }
      assert.equal((await connection.commit({ checks: [keyAbsent('by_rank', 'use')], writes: [put('b')] })).outcome, 'committed')
      await commitWrites(connection, remove('a'))
      assert.equal((await connection.commit({ checks: [keyAbsent('by_rank', 'used')], writes: [put('c')] })).outcome, 'committed')
    })

    storeTest('that fail leave nothing of the batch', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('kept', { text: 'before' }))
      const revision = await connection.revision()
      const refused = await connection.commit({
        checks: [revisionIs('new', 0), revisionIs('kept', revision), revisionIs('kept', revision + 1)],
        writes: [put('new'), put('kept', { text: 'after' }), put('another', { rank: 'r' })],
      })
      assert.deepEqual(refused, { outcome: 'conflict', check: revisionIs('kept', revision + 1) }, 'the result names the check that failed')
      assert.equal(textOf(await readOne(connection, 'kept')), 'before')
      assert.deepEqual(await connection.read(notes.name, ['new', 'another']), [undefined, undefined])
      assert.equal(await connection.count(notes.name), 1)
    })

    storeTest('look at the state before the batch, not at its own writes', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const result = await connection.commit({
        checks: [keyAbsent('by_rank', 'mine'), revisionIs('a', 0)],
        writes: [put('a', { rank: 'mine' })],
      })
      assert.equal(result.outcome, 'committed')
    })

    storeTest('work without writes', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const revision = await commitWrites(connection, put('a'))
      assert.equal((await connection.commit({ checks: [revisionIs('a', revision)], writes: [] })).outcome, 'committed')
      assert.equal((await connection.commit({ checks: [revisionIs('a', 0)], writes: [] })).outcome, 'conflict')
    })

    storeTest('let exactly one of several racing writers win', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          connection.commit({ checks: [revisionIs('a', 0)], writes: [put('a', { text: String(number) })] }),
        ),
      )
      assert.equal(results.filter((result) => result.outcome === 'committed').length, 1)
      assert.equal((await connection.commit(batchOf(put('a')))).outcome, 'committed')
    })
  })
}
