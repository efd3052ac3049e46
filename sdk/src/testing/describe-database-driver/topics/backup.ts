import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { batchOf, commitWrites, expectCommitted, idsByIndex, noKeys, notes, put, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'

/** Hot backups, for drivers that have them. */
export function describeBackup({ runner, options, storeTest }: SuiteTopic): void {
  if (!options.supports.hotBackup) return
  runner.describe('backup', () => {
    storeTest('has one moment, is taken during writes, and opens', async (store) => {
      const { connection } = store
      await connection.ensureCollection(notes, noKeys)
      const filler = 'x'.repeat(20_000)
      const pair = (number: number) =>
        batchOf(
          put('left', { rank: 'l', text: String(number) }),
          put(`d${number}`, { text: filler }),
          put('right', { rank: 'r', text: String(number) }),
        )
      for (let number = 0; number < 50; number += 1) expectCommitted(await connection.commit(pair(number)))
      const folder = await store.createFolder()
      let running = true
      let written = 49
      const writer = async (): Promise<void> => {
        while (running) {
          expectCommitted(await connection.commit(pair(written + 1)))
          written += 1
        }
      }
      const steps: (readonly [number, number])[] = []
      const writing = writer()
      assert.ok(connection.backup)
      await connection
        .backup(folder, { signal: new AbortController().signal, progress: (done, total) => steps.push([done, total]) })
        .finally(() => (running = false))
      await writing
      assert.ok(steps.length > 0, 'progress was never reported')
      for (const [done, total] of steps) assert.ok(done >= 0 && done <= total, `progress ${done} of ${total}`)

      const copy = await store.openFolder(folder)
      const [left, right] = await copy.read(notes.name, ['left', 'right'])
      assert.equal(left?.revision, right?.revision, 'the backup holds half a commit')
      const moment = Number(textOf(left))
      assert.ok(moment >= 49 && moment <= written, `the backup is of commit ${moment}`)
      assert.equal(await copy.count(notes.name), moment + 3)
      assert.deepEqual(await idsByIndex(copy, 'by_rank'), ['left', 'right'])
      assert.deepEqual(await copy.layouts(), [notes])
      assert.ok((await commitWrites(copy, put('more'))) > (left?.revision ?? 0))
      assert.equal(textOf((await connection.read(notes.name, ['left']))[0]), String(written), 'the store itself is whole')
    })

    storeTest('leaves nothing when it is aborted', async (store) => {
      const { connection } = store
      await connection.ensureCollection(notes, noKeys)
      for (let number = 0; number < 20; number += 1) await commitWrites(connection, put(`d${number}`, { text: 'x'.repeat(200_000) }))
      assert.ok(connection.backup)
      const folder = await store.createFolder()
      const controller = new AbortController()
      controller.abort(new Error('cancelled'))
      await assert.rejects(connection.backup(folder, { signal: controller.signal, progress: () => undefined }))
      assert.deepEqual(await readdir(folder), [])
      await commitWrites(connection, put('after'))
    })
  })
}
