import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { callCollection, retentionDays } from './stored-call.js'

/** Deletes calls after their retention; their sums stay. */
export function createPruneCallsJob(database: Database, clock: Clock): SchedulerJob {
  const calls = database.collection(callCollection)
  return {
    specVersion: 1,
    id: 'inference.prune-calls',
    title: 'Delete old records of model calls',
    everySeconds: 3_600,
    async run({ signal }) {
      const before = new Date(clock.now() - retentionDays * 86_400_000).toISOString()
      for (;;) {
        signal.throwIfAborted()
        const page = await calls.query({ index: 'by_age', to: before, limit: 200 })
        for (const { id } of page.items) await calls.delete(id)
        if (page.nextCursor === undefined) return
      }
    },
  }
}
