import assert from 'node:assert/strict'
import { type DatabaseConnection, databaseClosedError } from '../../../contracts/database-driver/index.js'
import { batchOf, bytes, commitWrites, expectCommitted, noKeys, notes, put } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { searchPage, termsOf } from '../support/suite-texts.js'

type Call = (connection: DatabaseConnection, folder: string) => Promise<unknown> | undefined

const calls: Readonly<Record<string, Call>> = {
  layouts: (connection) => connection.layouts(),
  ensureCollection: (connection) => connection.ensureCollection(notes, noKeys),
  dropCollection: (connection) => connection.dropCollection(notes.name),
  read: (connection) => connection.read(notes.name, ['a']),
  range: (connection) => connection.range({ collection: notes.name, index: 'by_rank', order: 'ascending', limit: 1, maximumBytes: 1 }),
  find: (connection) => connection.find(notes.name, 'by_rank', bytes('r')),
  search: (connection) => searchPage(connection, { terms: termsOf('word') }),
  scan: (connection) => connection.scan(notes.name, { limit: 1 }),
  count: (connection) => connection.count(notes.name),
  commit: (connection) => connection.commit(batchOf(put('b'))),
  revision: (connection) => connection.revision(),
  purge: (connection) => connection.purge({ signal: new AbortController().signal }),
  backup: (connection, folder) => connection.backup?.(folder, { signal: new AbortController().signal, progress: () => undefined }),
}

/** How a store is closed. */
export function describeClosing({ runner, storeTest }: SuiteTopic): void {
  runner.describe('closing', () => {
    storeTest('may happen twice, and at once', async ({ connection }) => {
      await Promise.all([connection.close(), connection.close()])
      await connection.close()
    })

    storeTest('makes all other calls reject with database_closed', async ({ connection, createFolder }) => {
      await connection.ensureCollection(notes, noKeys)
      await commitWrites(connection, put('a', { rank: 'r' }))
      await connection.close()
      for (const [name, call] of Object.entries(calls)) {
        const pending = call(connection, await createFolder())
        if (pending)
          await assert.rejects(pending, (error) => databaseClosedError.isInstance(error), `${name} did not reject with database_closed`)
      }
    })

    storeTest('waits for commits that were accepted', async (store) => {
      await store.connection.ensureCollection(notes, noKeys)
      const pending = Array.from({ length: 100 }, (_, number) => store.connection.commit(batchOf(put(`d${number}`))))
      const settled: string[] = []
      const watched = pending.map((commit) => commit.then((result) => settled.push(result.outcome)))
      await store.connection.close()
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(settled.length, 100, 'close resolved before the commits did')
      await Promise.all(watched)
      for (const commit of pending) expectCommitted(await commit)
      const connection = await store.reopen()
      assert.equal(await connection.count(notes.name), 100)
    })

    storeTest('refuses what is called while it closes', async ({ connection }) => {
      await connection.ensureCollection(notes, noKeys)
      const accepted = connection.commit(batchOf(put('a')))
      const closing = connection.close()
      await assert.rejects(connection.commit(batchOf(put('b'))), (error) => databaseClosedError.isInstance(error))
      await closing
      expectCommitted(await accepted)
    })
  })
}
