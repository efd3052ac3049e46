import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { approvalCollection } from '../../store/runs/approval.js'
import type { Run } from '../../store/runs/run.js'

/** Says whether a waiting run has something to go on with: one of its questions has been answered, is over its time, or is gone. */
export function createIsAnswered(dependencies: {
  readonly database: Database
  readonly clock: Clock
}): (run: Pick<Run, 'asking'>) => Promise<boolean> {
  const { database, clock } = dependencies
  const approvals = database.collection(approvalCollection)
  return async ({ asking }) => {
    if (asking.length === 0) return true
    const now = new Date(clock.now()).toISOString()
    const stored = await Promise.all(asking.map((id) => approvals.get(id)))
    return stored.some((approval) => approval?.status !== 'pending' || approval.expires_at <= now)
  }
}
