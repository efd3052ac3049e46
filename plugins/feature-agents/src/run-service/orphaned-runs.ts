import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { RunManager } from '../runs/engine/run-manager.js'
import { isFinished, type Run, runCollection } from '../store/runs/run.js'

/** How long an orphaned run may take to stop, in milliseconds. */
const cancelTimeoutMs = 15_000

/** Runs whose parent has ended. */
export interface OrphanedRuns {
  /**
   * Cancels a run whose parent has ended, is about to end, or was deleted. Resolves to whether that
   * is so. Never rejects.
   */
  end(run: Pick<Run, 'id' | 'parent'>): Promise<boolean>
  /**
   * Cancels a run once its parent has ended in this process. Returns at once; a run without a
   * parent is left alone.
   */
  endWithParent(run: Pick<Run, 'id' | 'parent'>): void
  /**
   * Does both for all runs that wait for a person: cancels those whose parent has ended now, and
   * the others as soon as it ends.
   */
  endWaiting(): Promise<void>
}

interface Dependencies {
  readonly database: Database
  readonly runs: Pick<RunManager, 'cancel' | 'ended'>
  readonly logger: Logger
}

export function createOrphanedRuns(dependencies: Dependencies): OrphanedRuns {
  return {
    end: (run) => endOrphaned(dependencies, run),
    endWithParent: (run) => endWithParent(dependencies, run),
    async endWaiting() {
      const waiting = { index: 'by_status', equals: ['waiting'], pageSize: 200 }
      for await (const run of documentsOf(dependencies.database, runCollection, waiting)) {
        if (!(await endOrphaned(dependencies, run))) endWithParent(dependencies, run)
      }
    },
  }
}

function endWithParent(dependencies: Dependencies, run: Pick<Run, 'id' | 'parent'>): void {
  if (run.parent) void dependencies.runs.ended(run.parent.run_id).then(() => endOrphaned(dependencies, run))
}

async function endOrphaned({ database, runs, logger }: Dependencies, { id, parent }: Pick<Run, 'id' | 'parent'>): Promise<boolean> {
  if (!parent) return false
  const stored = database.collection(runCollection)
  try {
    const above = await stored.get(parent.run_id)
    if (above && !isFinished(above) && above.cancel_requested_at === null) return false
    const below = await stored.get(id)
    if (below && !isFinished(below)) await runs.cancel(id, { signal: signalWithin(cancelTimeoutMs) })
    return true
  } catch (error) {
    logger.warn('A run whose parent has ended could not be cancelled.', { run_id: id, error })
    return false
  }
}
