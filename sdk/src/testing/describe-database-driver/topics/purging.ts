import assert from 'node:assert/strict'
import type { CollectionLayout, CommitWrite, DatabaseConnection } from '../../../contracts/database-driver/index.js'
import { assertGone } from '../support/stored-bytes.js'
import { batchOf, bytes, commitWrites, expectCommitted, noKeys, notes, put, readOne, remove, textOf } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { ensureTexts, found, putText, removeText, termsOf, texts } from '../support/suite-texts.js'

const never = new AbortController().signal
/** A marker in all data that a test deletes. */
const marker = 'ErasedMarker'
const purge = (connection: DatabaseConnection): Promise<void> => connection.purge({ signal: never })

/** Numbers that look random and are the same in each run. */
function numbers(): (below: number) => number {
  let state = 20_261_123
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** Deleted data is in no file. */
export function describePurging({ runner, storeTest }: SuiteTopic): void {
  runner.describe('purging', () => {
    storeTest('removes every byte of deleted data, and nothing else', async (store) => {
      const { connection, path } = store
      await connection.ensureCollection(notes, noKeys)
      const below = numbers()
      const alive = new Map<string, string>()
      const deleted: string[] = []
      for (let round = 0; round < 30; round += 1) {
        const writes: CommitWrite[] = []
        for (let position = 0; position < 30; position += 1) {
          const id = `${below(2 ** 24).toString(16)}-${round * 30 + position}`
          const mine = position % 4 === 0
          const text = `${mine ? marker : 'kept'} ${'x'.repeat(below(round % 10 === 0 ? 12_000 : 700))}`
          const rank = `${mine ? marker : 'kept'}${below(1000)}`
          writes.push(put(mine ? `${id}-${marker}` : id, { rank, code: `${rank} ${id}`, text }))
          if (mine) deleted.push(`${id}-${marker}`)
          else alive.set(id, text)
        }
        await commitWrites(connection, ...writes)
      }
      for (let number = 0; number < deleted.length; number += 7)
        await commitWrites(connection, ...deleted.slice(number, number + 7).map((id) => remove(id)))
      await purge(connection)
      await assertGone(path, [marker])
      for (const [id, text] of alive) assert.equal(textOf(await readOne(connection, id)), text)
      const again = await store.reopen()
      for (const [id, text] of alive) assert.equal(textOf(await readOne(again, id)), text)
    })

    storeTest('removes every byte of replaced data', async ({ connection, path }) => {
      await connection.ensureCollection(notes, noKeys)
      for (const length of [10, 3000, 50_000]) await commitWrites(connection, put(`n${length}`, { text: marker.padEnd(length, marker) }))
      for (const length of [10, 3000, 50_000]) await commitWrites(connection, put(`n${length}`, { text: 'new' }))
      await purge(connection)
      await assertGone(path, [marker])
      assert.equal(textOf(await readOne(connection, 'n3000')), 'new')
    })

    storeTest('removes every deleted word of a text index', async (store) => {
      const { connection, path } = store
      await ensureTexts(store)
      const word = marker.toLowerCase()
      for (let number = 0; number < 200; number += 1)
        await commitWrites(
          connection,
          putText(`mine${number}`, `${word}${number} sun`, { order: number }),
          putText(`kept${number}`, `moon${number} sun`, { order: number }),
        )
      for (let number = 0; number < 100; number += 1) await commitWrites(connection, removeText(`mine${number}`))
      for (let number = 100; number < 200; number += 1) await commitWrites(connection, putText(`mine${number}`, 'star', { order: number }))
      await purge(connection)
      await assertGone(path, [word])
      assert.ok((await connection.read(texts.name, ['kept0']))[0])
      assert.deepEqual(await found(connection, termsOf('moon150')), ['kept150'])
    })

    storeTest('removes every byte of a dropped collection or index', async ({ connection, path }) => {
      const indexed: CollectionLayout = { ...notes, indexes: notes.indexes.slice(0, 1) }
      const dropped: CollectionLayout = { ...notes, name: 'suite.dropped' }
      await connection.ensureCollection(notes, noKeys)
      await connection.ensureCollection(dropped, noKeys)
      const inDropped = (write: CommitWrite): CommitWrite => ({ ...write, collection: dropped.name })
      for (let number = 0; number < 50; number += 1)
        await commitWrites(
          connection,
          put(`n${number}`, { rank: `r${number}`, code: `${marker} ${number}` }),
          inDropped(put(`d${number}`, { rank: marker, text: marker.repeat(100) })),
        )
      await connection.dropCollection(dropped.name)
      await connection.ensureCollection(indexed, ({ id }) => [bytes(`r${id}`)])
      for (let number = 0; number < 50; number += 1)
        await connection.commit(batchOf({ kind: 'put', collection: notes.name, id: `n${number}`, body: '{}', keys: [bytes('r')] }))
      await purge(connection)
      await assertGone(path, [marker])
      assert.equal(await connection.count(notes.name), 50)
    })

    storeTest('runs during commits, and may be called concurrently and again', async (store) => {
      const { connection, path } = store
      await connection.ensureCollection(notes, noKeys)
      for (let number = 0; number < 200; number += 1) await commitWrites(connection, put(`m${number}`, { text: marker.repeat(50) }))
      for (let number = 0; number < 200; number += 1) await commitWrites(connection, remove(`m${number}`))
      let purging = true
      let written = 0
      const writing = (async () => {
        for (; purging || written === 0; written += 1)
          expectCommitted(await connection.commit(batchOf(put(`w${written}`, { rank: `r${written}`, text: 'y'.repeat(500) }))))
      })()
      await Promise.all([purge(connection), purge(connection)]).finally(() => (purging = false))
      await writing
      await purge(connection)
      await assertGone(path, [marker])
      for (let number = 0; number < written; number += 1) assert.ok(await readOne(connection, `w${number}`), `w${number} is missing`)
    })

    storeTest('is completed after an abort or a crash', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      for (let number = 0; number < 100; number += 1) await commitWrites(store.connection, put(`m${number}`, { text: marker.repeat(90) }))
      for (let number = 0; number < 100; number += 1) await commitWrites(store.connection, remove(`m${number}`))
      const controller = new AbortController()
      const reason = new Error('not now')
      const aborted = store.connection.purge({ signal: controller.signal }).then(
        () => undefined,
        (error: unknown) => error,
      )
      controller.abort(reason)
      const outcome = await aborted
      assert.ok(outcome === undefined || outcome === reason, String(outcome))
      const cutOff = purge(store.connection).catch(() => undefined)
      const connection = await store.crash()
      await cutOff
      await purge(connection)
      await assertGone(store.path, [marker])
    })

    storeTest('is not needed for a backup, which contains no deleted data', async (store) => {
      const { connection } = store
      if (!connection.backup) return
      await connection.ensureCollection(notes, noKeys)
      await ensureTexts(store)
      const word = marker.toLowerCase()
      for (let number = 0; number < 100; number += 1)
        await commitWrites(connection, put(`m${number}`, { text: marker.repeat(90) }), putText(`t${number}`, `${word}${number}`))
      for (let number = 1; number < 100; number += 1) await commitWrites(connection, remove(`m${number}`), removeText(`t${number}`))
      await commitWrites(connection, put('m0', { text: 'kept' }), putText('t0', 'moon'))
      const folder = await store.createFolder()
      await connection.backup(folder, { signal: never, progress: () => undefined })
      await assertGone(folder, [marker, word])
      assert.equal(textOf(await readOne(await store.openFolder(folder), 'm0')), 'kept')
    })
  })
}
