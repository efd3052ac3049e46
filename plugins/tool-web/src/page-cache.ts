import type { Clock } from '@agent-service/sdk/services/clock'
import type { PageText } from './read-page.js'

/** What was fetched, by whom and how. */
export interface CachedPage {
  readonly userId: string
  /** As it was asked for, without its fragment. */
  readonly url: string
  readonly mode: 'readable' | 'raw' | 'rendered'
}

/** The pages of the last minutes, for each user alone, so that reading on does not fetch again. */
export interface PageCache {
  find(page: CachedPage): PageText | undefined
  keep(page: CachedPage, text: PageText): void
}

/**
 * Bounded by characters: the oldest pages of a user, then the oldest of all, give way. Nothing stays longer
 * than `ttlMs`.
 */
export function createPageCache(options: {
  readonly clock: Pick<Clock, 'after'>
  readonly ttlMs?: number
  readonly maxCharacters?: number
  readonly maxPerUser?: number
}): PageCache {
  const { clock, ttlMs = 300_000, maxCharacters = 16_000_000, maxPerUser = 3_000_000 } = options
  const pages = new Map<string, { readonly userId: string; readonly text: PageText; readonly cancel: () => void }>()
  const keyOf = ({ userId, url, mode }: CachedPage): string => JSON.stringify([userId, mode, url])
  const drop = (key: string): void => {
    pages.get(key)?.cancel()
    pages.delete(key)
  }
  /** Drops the oldest entries until those that are counted have room for more. */
  const makeRoom = (needed: number, limit: number, counts: (userId: string) => boolean): void => {
    const counted = [...pages].filter(([, { userId }]) => counts(userId))
    let used = counted.reduce((sum, [, { text }]) => sum + sizeOf(text), 0)
    for (const [key, { text }] of counted) {
      if (used + needed <= limit) return
      drop(key)
      used -= sizeOf(text)
    }
  }
  return {
    find: (page) => pages.get(keyOf(page))?.text,
    keep(page, text) {
      const { userId } = page
      const key = keyOf(page)
      const size = sizeOf(text)
      drop(key)
      if (size > maxPerUser) return
      makeRoom(size, maxPerUser, (other) => other === userId)
      makeRoom(size, maxCharacters, () => true)
      const cancel = clock.after(ttlMs, () => void pages.delete(key))
      pages.set(key, { userId, text, cancel: () => void cancel() })
    },
  }
}

/** With something for the entry itself, so that empty pages count too. */
const sizeOf = ({ text }: PageText): number => text.length + 2_000
