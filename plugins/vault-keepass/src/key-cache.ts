import type { DerivedKey } from './protocol.js'

/** Keys that were derived, so that a file need not be opened from its password each time. Nothing of its content. */
export interface KeyCache {
  get(connectionId: string): DerivedKey | undefined
  set(connectionId: string, key: DerivedKey): void
  /** Overwrites it with zeros. */
  forget(connectionId: string): void
  clear(): void
}

interface KeyCacheOptions {
  readonly maxKeys: number
  /** How long an unused key is kept. */
  readonly maxIdleMs: number
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

/** Makes an empty one. The longest unused key gives way; old ones go at the next use of the cache. */
export function createKeyCache({ maxKeys, maxIdleMs, now }: KeyCacheOptions): KeyCache {
  const keys = new Map<string, { readonly key: DerivedKey; readonly usedAt: number }>()

  const forget = (connectionId: string): void => {
    keys.get(connectionId)?.key.key.fill(0)
    keys.delete(connectionId)
  }
  const forgetIdle = (): void => {
    for (const [id, { usedAt }] of keys) if (now() - usedAt >= maxIdleMs) forget(id)
  }

  return {
    get(connectionId) {
      forgetIdle()
      const kept = keys.get(connectionId)
      if (kept === undefined) return undefined
      keys.delete(connectionId)
      keys.set(connectionId, { key: kept.key, usedAt: now() })
      return kept.key
    },
    set(connectionId, { fingerprint, key }) {
      forget(connectionId)
      forgetIdle()
      keys.set(connectionId, { key: { fingerprint, key: Uint8Array.from(key) }, usedAt: now() })
      for (const id of keys.keys()) if (keys.size > maxKeys) forget(id)
    },
    forget,
    clear() {
      for (const id of [...keys.keys()]) forget(id)
    },
  }
}
