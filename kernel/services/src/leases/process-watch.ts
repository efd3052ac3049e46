import { allOf } from '@agent-service/kernel-core/database/collections'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type ProcessRecord, processCollection } from './lease-records.js'

/** Watches the other processes of the deployment. */
export interface ProcessWatch {
  /**
   * Checks every process once; removes those without a new heartbeat for `expiryMs`, which frees
   * their leases.
   */
  look(): Promise<void>
}

/** Makes a watch. */
export function createProcessWatch(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly processId: string
  readonly expiryMs: number
}): ProcessWatch {
  const { database, clock, processId, expiryMs } = dependencies
  const processes = database.collection(processCollection)
  // By process: its last beat, and when this process first saw it, by its own clock.
  let seen = new Map<string, { readonly beat: number; readonly since: number }>()

  const remove = ({ id, beat }: ProcessRecord): Promise<void> =>
    database.transaction(async (transaction) => {
      if ((await transaction.get(processCollection, id))?.beat === beat) transaction.delete(processCollection, id)
    })

  return {
    async look() {
      const now = clock.monotonic()
      const next = new Map<string, { readonly beat: number; readonly since: number }>()
      for await (const process of allOf(processes, { index: 'by_begin' })) {
        if (process.id === processId) continue
        const known = seen.get(process.id)
        const standing = known?.beat === process.beat ? known : { beat: process.beat, since: now }
        if (now - standing.since >= expiryMs) await remove(process)
        else next.set(process.id, standing)
      }
      seen = next
    },
  }
}
