import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { LRUCache } from 'lru-cache'

/** The memory limit for cached documents, estimated from their JSON. */
export const maxCacheBytes = 64 * 1024 * 1024
/** The cache allocates its slots at once; more would be wasted. */
const maxSlots = 1_000_000

/** A document as it is returned: deeply frozen. */
export interface StoredEntry {
  readonly document: JsonObject
  readonly revision: number
  /** Bytes of its JSON. */
  readonly bytes: number
}

export interface DocumentReference {
  readonly collection: string
  readonly id: string
}

export interface WrittenEntry extends DocumentReference {
  readonly entry: StoredEntry
}

export type EntityCache = ReturnType<typeof createEntityCache>

/**
 * Caches documents that were read by id, and those that a commit has replaced. While a write of a
 * document is under way, and for every read that began before its end, that document is read from
 * the store and not cached. A reader that has seen a commit never gets an older state. With no
 * entries, or no time to live, it caches nothing.
 */
export function createEntityCache(options: {
  readonly ttlSeconds: number
  readonly maxEntries: number
  readonly clock: Pick<Clock, 'monotonic'>
}) {
  const { ttlSeconds, maxEntries, clock } = options
  const entries =
    ttlSeconds > 0 && maxEntries > 0
      ? new LRUCache<string, StoredEntry>({
          max: Math.min(maxEntries, maxSlots),
          maxSize: maxCacheBytes,
          sizeCalculation: (entry) => entry.bytes * 2 + 200,
          ttl: ttlSeconds * 1000,
          ttlResolution: 0,
          // A time of 0 would count as “no time to live”.
          perf: { now: () => clock.monotonic() + 1 },
        })
      : undefined
  const writing = new Map<string, number>()
  const filling = new Map<string, Set<{ isValid: boolean }>>()

  return {
    get: (reference: DocumentReference): StoredEntry | undefined => entries?.get(keyOf(reference)),
    /**
     * Must be called before the store is read. The result ends the fill: it caches the document
     * unless it was written since the read began. Absent documents are not cached.
     */
    beginFill(reference: DocumentReference): (entry: StoredEntry | undefined) => void {
      if (!entries) return ignore
      const key = keyOf(reference)
      const fill = { isValid: !writing.has(key) }
      const others = filling.get(key)
      if (others) others.add(fill)
      else filling.set(key, new Set([fill]))
      return (entry) => {
        const fills = filling.get(key)
        fills?.delete(fill)
        if (fills?.size === 0) filling.delete(key)
        if (fill.isValid && entry) entries.set(key, entry)
        fill.isValid = false
      }
    },
    /**
     * Evicts documents and does not cache them until the returned function is called, when their
     * write has succeeded or failed. The entries passed to it are then cached, except documents that
     * another write is changing.
     */
    beginWrite(references: readonly DocumentReference[]): (written: readonly WrittenEntry[]) => void {
      if (!entries) return ignore
      const keys = references.map(keyOf)
      for (const key of keys) {
        writing.set(key, (writing.get(key) ?? 0) + 1)
        entries.delete(key)
        for (const fill of filling.get(key) ?? []) fill.isValid = false
      }
      return (written) => {
        for (const key of keys) {
          const left = (writing.get(key) ?? 1) - 1
          if (left === 0) writing.delete(key)
          else writing.set(key, left)
        }
        for (const reference of written) {
          const key = keyOf(reference)
          if (!writing.has(key)) entries.set(key, reference.entry)
        }
      }
    },
    clear: (): void => entries?.clear(),
  }
}

const ignore = (): void => undefined

const keyOf = ({ collection, id }: DocumentReference): string => `${collection}/${id}`
