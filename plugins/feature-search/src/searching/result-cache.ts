import type { SearchQuery, SearchResult } from '@agent-service/sdk/contracts/search-provider'
import type { Clock } from '@agent-service/sdk/services/clock'

/** What was searched, by whom and with what. */
export interface CachedSearch {
  readonly userId: string
  readonly provider: string
  readonly query: SearchQuery
}

/**
 * Results of the last minutes. Each user has their own: how fast an answer comes must not say what
 * someone else has searched.
 */
export interface ResultCache {
  find(search: CachedSearch): readonly SearchResult[] | undefined
  keep(search: CachedSearch, results: readonly SearchResult[]): void
}

/** Bounded: the oldest of a user, and the oldest of all, give way; nothing stays longer than `ttlMs`. */
export function createResultCache(options: {
  readonly clock: Pick<Clock, 'after'>
  readonly ttlMs?: number
  readonly maxEntries?: number
  readonly maxPerUser?: number
}): ResultCache {
  const { clock, ttlMs = 300_000, maxEntries = 200, maxPerUser = 20 } = options
  const entries = new Map<string, { readonly userId: string; readonly results: readonly SearchResult[]; readonly cancel: () => void }>()
  const keyOf = ({ userId, provider, query: { text, limit, freshness, language } }: CachedSearch): string =>
    JSON.stringify([userId, provider, text, limit, freshness ?? null, language ?? null])
  const drop = (key: string | undefined): void => {
    if (key === undefined) return
    entries.get(key)?.cancel()
    entries.delete(key)
  }
  return {
    find: (search) => entries.get(keyOf(search))?.results,
    keep(search, results) {
      const key = keyOf(search)
      const { userId } = search
      drop(key)
      const own = [...entries].filter(([, entry]) => entry.userId === userId)
      if (own.length >= maxPerUser) drop(own[0]?.[0])
      if (entries.size >= maxEntries) drop(entries.keys().next().value)
      const cancel = clock.after(ttlMs, () => void entries.delete(key))
      entries.set(key, { userId, results, cancel: () => void cancel() })
    },
  }
}
