import assert from 'node:assert/strict'
import { batchOf, commitWrites, expectCommitted, labels, noKeys, notes, put, readOne, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

/** Many concurrent callers, and what readers see meanwhile. */
export function describeConcurrency({ runner, storeTest }: SuiteTopic): void {
  runner.describe('many at once', () => {
    storeTest('64 callers lose nothing', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const caller = async (number: number): Promise<void> => {
        for (let round = 0; round < 5; round += 1) {
          const id = `${number}-${round}`
          const revision = expectCommitted(await connection.commit(batchOf(put(id, { rank: 'r', code: id, text: id }))))
          const record = await readOne(connection, id)
          assert.equal(record?.revision, revision, 'an acknowledged commit is not read back')
        }
      }
      await Promise.all(Array.from({ length: 64 }, (_, number) => caller(number)))
      assert.equal(await connection.count(notes.name), 320)
    })

    storeTest('64 callers count to 64 by checked revisions', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('counter', { text: '0' }))
      const increment = async (): Promise<void> => {
        for (;;) {
          const record = await readOne(connection, 'counter')
          const next = String(Number(textOf(record)) + 1)
          const checks = [{ kind: 'revision', collection: notes.name, id: 'counter', revision: record?.revision ?? 0 }] as const
          const result = await connection.commit({ checks, writes: [put('counter', { text: next })] })
          if (result.outcome === 'committed') return
        }
      }
      await Promise.all(Array.from({ length: 64 }, increment))
      assert.equal(textOf(await readOne(connection, 'counter')), '64')
    })

    storeTest('readers see whole commits only', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(labels, () => [null])
      const pair = (number: number) =>
        batchOf(put('left', { rank: 'l', text: String(number) }), put('right', { rank: 'r', text: String(number) }))
      expectCommitted(await connection.commit(pair(0)))
      let acknowledged = 0
      let writing = true
      const writer = async (): Promise<void> => {
        for (let number = 1; number <= 150; number += 1) {
          const [first, second] = [connection.commit(pair(number)), connection.commit(batchOf(put('noise', { text: String(number) })))]
          expectCommitted(await first)
          acknowledged = number
          expectCommitted(await second)
        }
        writing = false
      }
      const reader = async (): Promise<void> => {
        while (writing) {
          const before = acknowledged
          const [left, right] = await connection.read(notes.name, ['left', 'right'])
          assert.equal(left?.revision, right?.revision, 'a read saw half a commit')
          assert.ok(Number(textOf(left)) >= before, 'a read missed an acknowledged commit')
          const page = await connection.range({
            collection: notes.name,
            index: 'by_rank',
            order: 'ascending',
            limit: 10,
            maximumBytes: 1 << 20,
          })
          assert.equal(new Set(page.records.map((record) => record.revision)).size, 1, 'a page saw half a commit')
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      await Promise.all([writer().finally(() => (writing = false)), reader(), reader(), reader()])
      assert.equal(textOf(await readOne(connection, 'left')), '150')
    })
  })
}
