import type { JsonObject } from '@agent-service/sdk'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'

/** When background work ran last, over all processes of the deployment. */
interface StoredSweep {
  readonly id: 'last'
  readonly started_at: string
  /** Null: it goes on, or was cut off. */
  readonly finished_at: string | null
  readonly failed: boolean
}

export const sweepCollection = defineCollection<StoredSweep>()({ name: 'memory.sweeps', version: 1, indexes: {} })

/** Remembers the last sweep. */
export interface SweepLog {
  last(): Promise<JsonObject | null>
  began(at: string): Promise<void>
  ended(begin: string, at: string, failed: boolean): Promise<void>
}

export const createSweepLog = (database: Database): SweepLog => {
  const sweeps = database.collection(sweepCollection)
  return {
    async last() {
      const stored = await sweeps.get('last')
      return stored ? { started_at: stored.started_at, finished_at: stored.finished_at, failed: stored.failed } : null
    },
    began: async (at) => void (await sweeps.put({ id: 'last', started_at: at, finished_at: null, failed: false })),
    ended: async (begin, at, failed) => void (await sweeps.put({ id: 'last', started_at: begin, finished_at: at, failed })),
  }
}
