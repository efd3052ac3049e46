import { callInterruptedError } from '@agent-service/sdk/services/inference'
import type { Run } from '../../store/runs/run.js'
import type { StopCause } from '../session/run-session.js'
import { maxMs, stopReasons } from '../session/run-stopping.js'
import { type ClaimedRun, isClaimed } from './claim-run.js'
import { controlOf, isKept, type KeptRuns, release } from './kept-runs.js'
import type { RunEntry } from './run-entry.js'
import type { GatedRun, RunGates } from './run-gates.js'

/**
 * How long a run rests after an error of the store, in milliseconds: longer each time. After the
 * last one the run is released.
 */
const retryDelaysMs = [1_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000]
/** After how long a gate that failed is asked again, in milliseconds. */
const gateRetryMs = 5_000
/** The longest timer. Node.js fires a timer of more than 2^31 − 1 milliseconds at once. */
const maxTimerMs = 24 * 3_600_000

/** Drives a run whose turn it is. Returns at once. */
export function start(kept: KeptRuns, entry: RunEntry): void {
  void entry.stopTimer?.()
  entry.state = 'driven'
  entry.woken = false
  entry.leave = kept.slots.occupy(entry)
  void driveEntry(kept, entry).finally(entry.leave)
}

/** Never rejects. Afterwards the entry is released or rests. */
async function driveEntry(kept: KeptRuns, entry: RunEntry): Promise<void> {
  try {
    const { fresh } = entry
    entry.fresh = undefined
    const control = controlOf(entry)
    const taken = fresh ? await kept.claims.fresh(fresh, control) : await kept.claims.stored(entry.runId, control)
    if (taken && !isClaimed(taken)) {
      restFor(kept, entry, taken.heldMs)
      return
    }
    if (taken) {
      await driveSession(kept, entry, taken)
      if (taken.session.run.status === 'waiting') {
        rest(kept, entry, taken.session.run)
        return
      }
    }
    release(kept, entry)
  } catch (error) {
    failed(kept, entry, error)
  }
}

async function driveSession(kept: KeptRuns, entry: RunEntry, { session, refusal }: ClaimedRun): Promise<void> {
  entry.session = session
  const stopWatch = kept.clock.after(maxMs(session), () => stop(kept, entry, 'overdue'))
  try {
    if (refusal && entry.stopCause === undefined) await kept.driver.refuse(session, refusal)
    else await kept.driver.drive(session)
  } finally {
    void stopWatch()
    session.throttle.close()
    entry.session = undefined
  }
}

/**
 * Lets the run wait for a person: it occupies no slot, and checks again when the first question
 * expires.
 */
export function rest(kept: KeptRuns, entry: RunEntry, run: Run): void {
  if (!isKept(kept, entry)) {
    release(kept, entry)
    return
  }
  entry.state = 'resting'
  entry.failures = 0
  entry.rested = run
  kept.gates?.rests(run)
  if (entry.stopCause === 'cancel') start(kept, entry)
  else if (entry.woken) queue(kept, entry)
  else restFor(kept, entry, run.asking_until === null ? 0 : Date.parse(run.asking_until) - kept.clock.now())
}

/** Checks the run again after this time. */
function restFor(kept: KeptRuns, entry: RunEntry, forMs: number): void {
  if (isKept(kept, entry)) restUntil(kept, entry, Math.min(Math.max(forMs, 0), maxTimerMs))
  else release(kept, entry)
}

function failed(kept: KeptRuns, entry: RunEntry, error: unknown): void {
  const delay = retryDelaysMs[entry.failures]
  entry.failures += 1
  if (kept.parked || delay === undefined) {
    kept.logger.error('A run could not be continued. It resumes at the next start.', { run_id: entry.runId, error })
    release(kept, entry)
    return
  }
  kept.logger.warn('A run could not be continued. It is retried.', { run_id: entry.runId, in_ms: delay, error })
  restUntil(kept, entry, delay)
}

function restUntil(kept: KeptRuns, entry: RunEntry, forMs: number): void {
  entry.state = 'resting'
  entry.stopTimer = kept.clock.after(forMs, () => queue(kept, entry))
  entry.reportUnderWay()
}

/** Queues a resting run; one that has waited for a person when its gate lets it go on. */
export function queue(kept: KeptRuns, entry: RunEntry): void {
  if (entry.state !== 'resting' || entry.isAtGate || !isKept(kept, entry)) return
  if (entry.rested && kept.gates?.guards(entry.rested)) void passGate(kept, entry, entry.rested, kept.gates)
  else requestSlot(kept, entry)
}

/** Never rejects. Meanwhile the run occupies no slot, and its time does not count. */
async function passGate(kept: KeptRuns, entry: RunEntry, run: GatedRun, gates: Pick<RunGates, 'pass'>): Promise<void> {
  entry.isAtGate = true
  entry.reportUnderWay()
  const isResting = (): boolean => entry.state === 'resting' && isKept(kept, entry)
  try {
    await gates.pass(run, entry.controller.signal)
    entry.isAtGate = false
    if (isResting()) requestSlot(kept, entry)
  } catch (error) {
    entry.isAtGate = false
    if (!isResting()) return
    kept.logger.warn('The gate of a run failed. It is asked again.', { run_id: entry.runId, in_ms: gateRetryMs, error })
    restUntil(kept, entry, gateRetryMs)
  }
}

/** Lets the run wait for a slot, or begin at once. */
export function requestSlot(kept: KeptRuns, entry: RunEntry): void {
  entry.state = 'waiting'
  entry.rested = undefined
  kept.gates?.forget(entry.runId)
  if (!kept.slots.beginInTurn(entry)) entry.reportUnderWay()
}

/**
 * Aborts the work of the run. A run that is not driven is driven to its end by a cancel, and stays
 * as stored for any other cause.
 */
export function stop(kept: KeptRuns, entry: RunEntry, cause: StopCause): void {
  if (entry.stopCause === undefined) {
    entry.stopCause = cause
    // A parked run repeats its model call at the next start.
    entry.controller.abort(cause === 'park' ? callInterruptedError.create({}) : new DOMException(stopReasons[cause], 'AbortError'))
  }
  if (entry.state === 'driven') return
  // A cancel does not wait for its turn: it is one short transition.
  if (cause === 'cancel' && !kept.parked) start(kept, entry)
  else release(kept, entry)
}
