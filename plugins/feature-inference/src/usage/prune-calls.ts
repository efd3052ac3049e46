import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { refusedPartCollection } from '../calls/omissions/refused-parts.js'
import { callCollection, retentionDays } from './stored-call.js'

/** Deletes calls, and what vendors refused, after their retention; sums of usage stay. */
export function createPruneCallsJob(database: Database, clock: Clock): SchedulerJob {
  const outdated = [database.collection(callCollection), database.collection(refusedPartCollection)]
  return {
    specVersion: 1,
    id: 'inference.prune-calls',
    title: 'Delete old records of model calls',
    everySeconds: 3_600,
    async run({ signal }) {
      const before = new Date(clock.now() - retentionDays * 86_400_000).toISOString()
      for (const collection of outdated)
        for (;;) {
          signal.throwIfAborted()
          const page = await collection.query({ index: 'by_age', to: before, limit: 200 })
          for (const { id } of page.items) await collection.delete(id)
          if (page.nextCursor === undefined) break
        }
    },
  }
}
