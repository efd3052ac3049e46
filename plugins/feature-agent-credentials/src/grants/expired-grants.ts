import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { textOf } from '../common/time.js'
import { grantCollection, isExpired } from '../store/grant.js'
import { endGrant, type GrantServiceDependencies } from './grant-service.js'

/** Deletes grants whose time is over; none of them works until then. */
export function createExpiredGrantsJob(
  dependencies: Pick<GrantServiceDependencies, 'accessLog' | 'events'> & {
    readonly database: Database
    readonly clock: Pick<Clock, 'now'>
  },
): SchedulerJob {
  const { database, clock } = dependencies
  return defineJob({
    id: 'feature-agent-credentials.end-grants',
    title: 'Delete grants to agents whose time is over',
    everySeconds: 600,
    async run({ signal }) {
      // A range excludes its end, and what ends now is over.
      const to = textOf(clock.now() + 1)
      for (;;) {
        signal.throwIfAborted()
        const { items } = await database.collection(grantCollection).query({ index: 'by_expiry', from: '', to, limit: 50 })
        if (items.length === 0) return
        for (const { id } of items)
          await database.transaction(async (transaction) => {
            const grant = await transaction.get(grantCollection, id)
            if (grant && isExpired(grant, clock.now())) await endGrant(dependencies, transaction, grant, 'ended')
          })
      }
    },
  })
}
