import { signalWithin } from '@agent-service/sdk/async'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { isFinished, type Run, runCollection } from '../../store/runs/run.js'
import { originOf } from '../log/transition.js'
import { endedOrAborted } from '../session/run-stopping.js'
import { isClaimed, type RunControl } from './claim-run.js'
import { stop } from './drive-entry.js'
import { admit, controlOf, type KeptRuns, release } from './kept-runs.js'
import type { RunEntry } from './run-entry.js'

/** How long a cancel waits for the driver to stop, in milliseconds. */
const cancelTimeoutMs = 10_000

/**
 * Asks a run to stop and waits until it has stopped or the signal aborts; see `RunManager.cancel`.
 * @throws `not_found`.
 */
export async function cancelRun(kept: KeptRuns, runId: string, signal: AbortSignal): Promise<Run> {
  const runs = kept.database.collection(runCollection)
  const run = await requestCancel(kept, runId)
  if (isFinished(run)) return run
  const entry = kept.entries.get(runId) ?? admit(kept, run, undefined)
  stop(kept, entry, 'cancel')
  await endedOrAborted(entry.ended, signalWithin(cancelTimeoutMs, signal))
  const now = (await runs.get(runId)) ?? run
  if (isFinished(now) || signal.aborted || kept.parked) return now
  await preempt(kept, entry)
  return (await runs.get(runId)) ?? now
}

/**
 * Stores the cancel before anything is stopped, so that a crash before the run has stopped does not
 * resume it.
 */
function requestCancel({ database, events, clock }: KeptRuns, runId: string): Promise<Run> {
  return database.transaction(async (transaction) => {
    const current = await transaction.get(runCollection, runId)
    if (!current) throw notFoundError.create({ what: 'run' })
    if (isFinished(current) || current.cancel_requested_at !== null) return current
    const marked: Run = { ...current, cancel_requested_at: new Date(clock.now()).toISOString() }
    transaction.put(runCollection, marked)
    events.record(transaction, { userId: marked.user_id, name: 'run.stopping', data: originOf(marked) })
    return marked
  })
}

/**
 * Ends a run whose driver does not stop, with a new epoch, so that every further step of that
 * driver is refused.
 */
async function preempt(kept: KeptRuns, entry: RunEntry): Promise<void> {
  kept.logger.error('A cancelled run did not stop. It is ended without its driver.', { run_id: entry.runId })
  const control: RunControl = { ...controlOf(entry), signal: AbortSignal.abort(), stopCause: () => 'cancel' }
  const taken = await kept.claims.stored(entry.runId, control, { force: true })
  if (isClaimed(taken)) {
    try {
      await kept.driver.drive(taken.session)
    } finally {
      taken.session.throttle.close()
    }
  }
  entry.leave()
  release(kept, entry)
}
