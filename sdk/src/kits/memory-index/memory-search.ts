import { fuseRanks } from './fuse-ranks.js'
import type { IndexCache, MemoryIndexChange } from './lexical/index-cache.js'
import type { MemoryMatch, MemorySearchOptions } from './lexical/memory-index.js'
import type { VectorSearch } from './vectors/vector-search.js'

/** The documents of all users, found by words, and by meaning where that is possible. */
export interface MemorySearch {
  /**
   * The best matches, the best first. A document that is gone may be among them for a moment: leave
   * out what is not stored. @throws the signal's reason, and what loading throws.
   */
  search(userId: string, text: string, options: MemorySearchOptions & { readonly signal: AbortSignal }): Promise<readonly MemoryMatch[]>
  /** Takes in a committed change; {@link IndexCache.changed}. */
  changed(userId: string, change: MemoryIndexChange): void
  /** Drops everything of a user from memory: after an erasure. */
  invalidate(userId: string): void
  /** Drops what was not used for this long, of all users. In milliseconds. */
  evictIdle(maxIdleMs: number): void
}

/** How many places of each list are joined, for each match that is wanted; and at least. */
const places = { factor: 4, min: 40 }

/** Joins a search by words and one by meaning. Without `vectors`, or while they fail, words decide alone. */
export function createMemorySearch({ cache, vectors }: { readonly cache: IndexCache; readonly vectors?: VectorSearch }): MemorySearch {
  return {
    async search(userId, text, options) {
      const { limit, signal } = options
      const most = Math.max(limit * places.factor, places.min)
      const [index, similar] = await Promise.all([cache.open(userId, { signal }), vectors?.find(userId, text, { ...options, limit: most })])
      if (similar === undefined || similar.length === 0) return index.search(text, options)
      const byWords = index.search(text, { ...options, limit: most })
      return fuseRanks([byWords.map(({ id }) => id), similar.filter((id) => index.has(id))]).slice(0, limit)
    },
    changed: (userId, change) => cache.changed(userId, change),
    invalidate(userId) {
      cache.invalidate(userId)
      vectors?.invalidate(userId)
    },
    evictIdle(maxIdleMs) {
      cache.evictIdle(maxIdleMs)
      vectors?.evictIdle(maxIdleMs)
    },
  }
}
