import type { Logger } from '@agent-service/sdk'
import type { CommitBatch, CommitResult, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { DocumentReference, EntityCache, StoredEntry } from './entity-cache.js'
import { entryOf } from './stored-entry.js'

/** Called after a commit, with its revision. */
export type CommitCallback = (revision: number) => void

/** Reads and commits as everything above the driver does them: through the cache, and in one order. */
export interface Store {
  /** A document by id. `fresh`: from the driver, not from the cache. */
  read(reference: DocumentReference, options?: { readonly fresh?: boolean }): Promise<StoredEntry | undefined>
  /** The document with a key of a unique index, from the driver. */
  find(collection: string, index: string, key: Uint8Array): Promise<(StoredEntry & { readonly id: string }) | undefined>
  /**
   * Commits. When the promise resolves, the cache has forgotten what was written and the callbacks have been called: those of all commits in the
   * order of their revisions.
   */
  commit(batch: CommitBatch, callbacks?: readonly CommitCallback[]): Promise<CommitResult>
  /** The revision of the newest commit that has resolved. */
  revision(): number
}

/** Makes the store over an open connection. `settled` is called after every commit, whatever became of it. */
export function createStore(dependencies: {
  readonly connection: DatabaseConnection
  readonly cache: EntityCache
  readonly revision: number
  readonly log: Logger
  readonly settled: () => void
}): Store {
  const { connection, cache, log, settled } = dependencies
  let revision = dependencies.revision
  /** Resolves when every commit before has been finished here; never rejects. */
  let finished: Promise<void> = Promise.resolve()

  const runCallbacks = (callbacks: readonly CommitCallback[], committed: number): void => {
    for (const callback of callbacks) {
      try {
        callback(committed)
      } catch (error) {
        log.error('A callback after a commit failed; the commit stands.', { error, revision: committed })
      }
    }
  }

  return {
    async read(reference, options) {
      if (!options?.fresh) {
        const cached = cache.get(reference)
        if (cached) return cached
      }
      const fill = cache.beginFill(reference)
      let entry: StoredEntry | undefined
      try {
        const [record] = await connection.read(reference.collection, [reference.id])
        entry = record && entryOf(reference.collection, record)
        return entry
      } finally {
        fill.end(entry)
      }
    },
    async find(collection, index, key) {
      const record = await connection.find(collection, index, key)
      return record && { id: record.id, ...entryOf(collection, record) }
    },
    commit(batch, callbacks = []) {
      const before = finished
      const endWrite = cache.beginWrite(batch.writes)
      const finish = async (): Promise<CommitResult> => {
        try {
          const result = await connection.commit(batch)
          await before
          if (result.outcome === 'committed') {
            revision = Math.max(revision, result.revision)
            runCallbacks(callbacks, result.revision)
          }
          return result
        } finally {
          endWrite()
          settled()
        }
      }
      const result = finish()
      finished = result.then(
        () => undefined,
        () => before,
      )
      return result
    },
    revision: () => revision,
  }
}
