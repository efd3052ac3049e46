import { createSingleFlight } from '../../../async/single-flight.js'
import { buildMemoryIndex, type MemoryDocument, type MemoryIndex } from './memory-index.js'

/** The documents of a user as they are stored. */
export interface StoredMemories {
  /** The version that they have at least: read it before them. */
  readonly version: number
  /** Those that matter most first. */
  readonly documents: Iterable<MemoryDocument> | AsyncIterable<MemoryDocument>
}

/** One committed change of a user's documents, which raised the version by one. */
export interface MemoryIndexChange {
  /** The version after it. */
  readonly version: number
  /** Documents that are new or different. */
  readonly put?: readonly MemoryDocument[]
  /** Ids of those that are gone. */
  readonly remove?: readonly string[]
}

/** What a cache is made of. */
export interface IndexCacheOptions {
  /** Loads the documents of a user. Called once for several searches at a time. */
  load(userId: string, options: { readonly signal: AbortSignal }): Promise<StoredMemories>
  /**
   * The version of a user's documents as it is stored, read before each search. It grows with every
   * change, also by another process, and does not repeat after everything was erased: begin it with
   * the time. Cheap.
   */
  versionOf(userId: string): Promise<number>
  /** The most users whose indices are kept. Default 64. */
  readonly maxUsers?: number
  /** The most documents in all indices together, and in one. Default 20,000. */
  readonly maxDocuments?: number
  /** Ends loads under way. */
  readonly signal: AbortSignal
}

/** The indices of the users who search, each built when it is first wanted. */
export interface IndexCache {
  /** How many users have an index. */
  readonly users: number
  /** How many documents all indices hold together. */
  readonly documents: number
  /**
   * An index with every change that was committed before the call. Use it at once: later changes
   * appear in it too. @throws the signal's reason, and what `load` throws.
   */
  open(userId: string, options: { readonly signal: AbortSignal }): Promise<MemoryIndex>
  /**
   * Takes a committed change into an index that is there. One that it does not follow, because a
   * change between them is not known yet, leaves the index to be built again.
   */
  changed(userId: string, change: MemoryIndexChange): void
  /** Drops the index of a user. */
  invalidate(userId: string): void
  /** Drops the indices that were not opened for this long. In milliseconds. */
  evictIdle(maxIdleMs: number): void
}

interface KeptIndex {
  readonly index: MemoryIndex
  version: number
  usedAt: number
}

/** How often one call builds an index again because it changed meanwhile. */
const maxLoads = 3

/** Makes a cache that keeps the indices that were used last. */
export function createIndexCache(options: IndexCacheOptions): IndexCache {
  const { maxUsers = 64, maxDocuments = 20_000 } = options
  /** The one used last stands last. */
  const kept = new Map<string, KeptIndex>()
  const flights = createSingleFlight<string, KeptIndex>()
  const total = (): number => [...kept.values()].reduce((sum, { index }) => sum + index.size, 0)

  const keep = (userId: string, entry: KeptIndex): void => {
    kept.delete(userId)
    kept.set(userId, entry)
    for (const [oldest] of kept) {
      if (kept.size <= 1 || (kept.size <= maxUsers && total() <= maxDocuments)) break
      kept.delete(oldest)
    }
  }

  const load = async (userId: string): Promise<KeptIndex> => {
    const { signal } = options
    signal.throwIfAborted()
    const { version, documents } = await options.load(userId, { signal })
    const index = await buildMemoryIndex(documents, { signal, maxDocuments })
    const entry = { index, version, usedAt: performance.now() }
    keep(userId, entry)
    return entry
  }

  return {
    get users() {
      return kept.size
    },
    get documents() {
      return total()
    },
    async open(userId, { signal }) {
      signal.throwIfAborted()
      const version = await options.versionOf(userId)
      for (let loads = 0; ; loads += 1) {
        const entry = kept.get(userId)
        if (entry?.version === version) {
          entry.usedAt = performance.now()
          keep(userId, entry)
          return entry.index
        }
        const loaded = await flights.run(userId, () => load(userId), { signal })
        if (loaded.version >= version || loads >= maxLoads) return loaded.index
      }
    },
    changed(userId, { version, put = [], remove = [] }) {
      const entry = kept.get(userId)
      if (!entry || version <= entry.version) return
      if (version !== entry.version + 1 || entry.index.size + put.length > maxDocuments) {
        kept.delete(userId)
        return
      }
      for (const id of remove) entry.index.remove(id)
      for (const document of put) entry.index.put(document)
      entry.version = version
    },
    invalidate: (userId) => void kept.delete(userId),
    evictIdle(maxIdleMs) {
      const now = performance.now()
      for (const [userId, { usedAt }] of kept) if (now - usedAt > maxIdleMs) kept.delete(userId)
    },
  }
}
