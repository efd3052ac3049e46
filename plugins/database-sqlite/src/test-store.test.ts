import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@agent-service/sdk'
import type { CollectionLayout, CommitBatch, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { createSqliteDriver, type SqliteDriverOptions } from './sqlite-driver.js'

/**
 * What the tests of this package share: a folder of their own, a log that says nothing, one
 * collection.
 */

export const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}

export const notes: CollectionLayout = { name: 'test.notes', version: 1, indexes: [{ name: 'by_rank', fields: ['rank'], unique: false }] }

export const openStore = (path: string, options: SqliteDriverOptions = {}): Promise<DatabaseConnection> =>
  createSqliteDriver(options).open({ path, settings: {}, log: silentLog, signal: new AbortController().signal })

export const put = (id: string, text = ''): CommitBatch => ({
  checks: [],
  writes: [{ kind: 'put', collection: notes.name, id, body: JSON.stringify({ id, text }), keys: [Buffer.from(id)] }],
})

/** Runs a test with a folder that is removed afterwards. */
export const withFolder = (test: (path: string) => Promise<void>) => async (): Promise<void> => {
  const path = await mkdtemp(join(tmpdir(), 'sqlite-test-'))
  try {
    await test(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** What a promise was rejected with. Fails if it was not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Expected a rejection.')
}
