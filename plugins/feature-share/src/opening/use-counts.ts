import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { shareCollection } from '../store/share.js'

/** How long uses are collected before they are stored, in milliseconds. */
const collectMs = 5_000
/** The most links whose uses are collected; then they are stored at once. */
const maxCollected = 500

/** Counts how often links are used. A crash loses what was counted in the last seconds. */
export interface UseCounts {
  add(shareId: string): void
  /** Stores what was counted so far. */
  flush(): Promise<void>
}

export function createUseCounts(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
}): UseCounts {
  const { database, clock, log } = dependencies
  let counted = new Map<string, { readonly uses: number; readonly at: number }>()
  let timer: Disposer | undefined

  const store = async (): Promise<void> => {
    const taken = counted
    if (taken.size === 0) return
    counted = new Map()
    await database.transaction(async (transaction) => {
      for (const [id, { uses, at }] of taken) {
        const share = await transaction.get(shareCollection, id)
        if (share) transaction.put(shareCollection, { ...share, uses: share.uses + uses, last_used_at: new Date(at).toISOString() })
      }
    })
  }
  const flush = async (): Promise<void> => {
    await timer?.()
    timer = undefined
    await store().catch((error: unknown) => log.warn('Uses of links could not be stored.', { error }))
  }
  return {
    add(id) {
      counted.set(id, { uses: (counted.get(id)?.uses ?? 0) + 1, at: clock.now() })
      if (counted.size >= maxCollected) void flush()
      else timer ??= clock.after(collectMs, () => void flush())
    },
    flush,
  }
}
