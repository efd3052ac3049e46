import type { JsonObject, Logger } from '@agent-service/sdk'
import type { CommitBatch, CommitCheck, CommitResult, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { DocumentReference, EntityCache, StoredEntry, WrittenEntry } from './entity-cache.js'
import { entryOf } from './stored-entry.js'

/** Called after a commit, with its revision. */
export type CommitCallback = (revision: number) => void

/** A document that a commit replaces. It is likely to be read again soon. */
export interface Replacement extends DocumentReference {
  /** Deeply frozen. */
  readonly document: JsonObject
  /** Bytes of its JSON. */
  readonly bytes: number
}

export type Store = ReturnType<typeof createStore>

/**
 * Reads and commits for all layers above the driver: through the cache, and in one order. `settled` is called after every commit, failed or not;
 * `committed` after each that changed data.
 */
export function createStore(dependencies: {
  readonly connection: DatabaseConnection
  readonly cache: EntityCache
  readonly revision: number
  readonly log: Logger
  readonly settled: () => void
  readonly committed: (batch: CommitBatch) => void
}) {
  const { connection, cache, log, settled, committed } = dependencies
  let revision = dependencies.revision
  /** Resolves when all earlier commits have been completed here; never rejects. */
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

  const commit = (
    batch: CommitBatch,
    {
      callbacks = [],
      replacements = [],
    }: { readonly callbacks?: readonly CommitCallback[]; readonly replacements?: readonly Replacement[] } = {},
  ): Promise<CommitResult> => {
    const before = finished
    const endWrite = cache.beginWrite(batch.writes)
    let written: readonly WrittenEntry[] = []
    const finish = async (): Promise<CommitResult> => {
      try {
        const result = await connection.commit(batch)
        await before
        if (result.outcome === 'committed') {
          revision = Math.max(revision, result.revision)
          written = replacements.map(({ collection, id, document, bytes }) => ({
            ...{ collection, id },
            entry: { document, revision: result.revision, bytes },
          }))
          committed(batch)
          runCallbacks(callbacks, result.revision)
        }
        return result
      } finally {
        endWrite(written)
        settled()
      }
    }
    const result = finish()
    finished = result.then(
      () => undefined,
      () => before,
    )
    return result
  }

  return {
    /** A document by id if it is in the cache. */
    cached: (reference: DocumentReference): StoredEntry | undefined => cache.get(reference),
    /** A document by id, from the driver. */
    async read(reference: DocumentReference): Promise<StoredEntry | undefined> {
      const endFill = cache.beginFill(reference)
      let entry: StoredEntry | undefined
      try {
        const [record] = await connection.read(reference.collection, [reference.id])
        entry = record && entryOf(reference.collection, record)
        return entry
      } finally {
        endFill(entry)
      }
    },
    /** The document with this key in a unique index, from the driver. */
    async find(collection: string, index: string, key: Uint8Array): Promise<(StoredEntry & { readonly id: string }) | undefined> {
      const record = await connection.find(collection, index, key)
      return record && { id: record.id, ...entryOf(collection, record) }
    },
    /**
     * Commits. When the promise resolves, the cache has no older version of the written documents,
     * and the callbacks have been called, those of all commits in the order of their revisions.
     */
    commit,
    /**
     * The first check that no longer holds; undefined if there was a moment since the call at which
     * all held.
     */
    async verify(checks: readonly CommitCheck[]): Promise<CommitCheck | undefined> {
      // A revision is never used twice: a document that still has the same one had it all the time,
      // so this needs no commit, which may cost a sync. An absent document may have been created and
      // deleted meanwhile; only a commit verifies that.
      const seen = checks.filter((check) => check.kind === 'revision' && check.revision > 0)
      if (seen.length < checks.length) {
        const result = await commit({ checks, writes: [] })
        return result.outcome === 'conflict' ? result.check : undefined
      }
      for (const check of seen) {
        if (check.kind !== 'revision') continue
        const [record] = await connection.read(check.collection, [check.id])
        if (record?.revision !== check.revision) return check
      }
      return undefined
    },
    /** The revision of the newest commit that has resolved. */
    revision: (): number => revision,
  }
}
