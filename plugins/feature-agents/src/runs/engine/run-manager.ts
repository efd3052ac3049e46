import { tooManyRunsError } from '../../common/errors.js'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import { type Run, runCollection } from '../../store/runs/run.js'
import type { ShownOutput } from '../session/run-session.js'
import type { LiveMessage } from '../streaming/live-message.js'
import { cancelRun } from './cancel-run.js'
import { queue, requestSlot, rest, start, stop } from './drive-entry.js'
import { admit, type IncomingRun, type KeptRuns, keptRuns, type RunManagerDependencies } from './kept-runs.js'
import { resumeRuns } from './resume-runs.js'
import type { RunEntry } from './run-entry.js'
import type { RunCounts } from './run-metrics.js'
import { createRunSlots } from './run-slots.js'

/**
 * Keeps the runs of this process: begins them, ends them, and resumes those that an earlier process
 * left.
 */
export interface RunManager {
  /**
   * Reserves room for one more run of a user while it is being stored; the result releases it.
   * @throws `too_many_runs`.
   */
  reserve(userId: string): () => void
  /** Whether a new run of this user would start at once. */
  hasRoom(userId: string): boolean
  /** Drives a run that was just stored. Returns at once. */
  begin(fresh: FreshRun): void
  /** Has a waiting run check for answers. Returns at once; a running run is not disturbed. */
  wake(run: IncomingRun): void
  /** Resolves when this process no longer keeps the run, or at once if it never did. */
  ended(runId: string): Promise<void>
  /**
   * Asks a run to stop and waits until it has stopped or the signal aborts. A driver that does not
   * stop within 10 seconds is preempted, and the run ends without it. A run that has ended stays as
   * it is.
   * @throws `not_found`.
   */
  cancel(runId: string, options: { readonly signal: AbortSignal }): Promise<Run>
  /** The message that a run is writing now. */
  liveMessage(runId: string): LiveMessage | undefined
  /** The end of what a call of a run in this process has printed so far. */
  liveOutput(runId: string, callId: string): ShownOutput | undefined
  /** Finds every open run of the store; each resumes after `ready` settles for it. */
  resumeAll(ready: (run: Run) => Promise<void>): Promise<void>
  /** How many runs this process keeps, by state. */
  counts(): RunCounts
  /** Whether this process drives no run any more. */
  isParked(): boolean
  /** Stops driving: every run stays at the end of its log and resumes at the next start. */
  park(): Promise<void>
}

export function createRunManager(dependencies: RunManagerDependencies): RunManager {
  const slots = createRunSlots({ limits: dependencies.limits, begin: (entry) => start(kept, entry) })
  const kept = keptRuns(dependencies, slots)
  const { entries } = kept
  return {
    reserve: (userId) => reserve(kept, userId),
    hasRoom: (userId) => !kept.parked && slots.hasRoom(userId),
    begin(fresh) {
      // After parking, the run is only stored; it resumes at the next start.
      if (!kept.parked) requestSlot(kept, admit(kept, fresh.run, fresh))
    },
    wake: (run) => wake(kept, run),
    ended: (runId) => entries.get(runId)?.ended ?? Promise.resolve(),
    cancel: (runId, { signal }) => cancelRun(kept, runId, signal),
    liveMessage: (runId) => entries.get(runId)?.session?.live,
    liveOutput: (runId, callId) => entries.get(runId)?.session?.outputs.get(callId),
    resumeAll: (ready) => resumeAll(kept, ready),
    counts: () => countsOf(kept),
    isParked: () => kept.parked,
    park: () => park(kept),
  }
}

function countsOf({ entries }: KeptRuns): RunCounts {
  const counts = { driven: 0, waiting: 0, resting: 0 }
  for (const { state } of entries.values()) counts[state] += 1
  return counts
}

function reserve({ open, limits }: KeptRuns, userId: string): () => void {
  if (open.of(userId) >= limits.maxOpenPerUser) throw tooManyRunsError.create({ limit: limits.maxOpenPerUser })
  open.add(userId)
  let given = true
  return () => {
    if (given) open.remove(userId)
    given = false
  }
}

function wake(kept: KeptRuns, run: IncomingRun): void {
  if (kept.parked) return
  const entry = kept.entries.get(run.id)
  if (!entry) {
    void wakeStored(kept, admit(kept, run, undefined))
  } else if (entry.state === 'driven') entry.woken = true
  else {
    void entry.stopTimer?.()
    queue(kept, entry)
  }
}

/** Wakes a run that waited in another process, or in none. Never rejects. */
async function wakeStored(kept: KeptRuns, entry: RunEntry): Promise<void> {
  try {
    const stored = kept.gates && (await kept.database.collection(runCollection).get(entry.runId))
    if (stored?.status === 'waiting') entry.rested = stored
  } catch (error) {
    kept.logger.warn('A waiting run could not be read. It goes on without its gate.', { run_id: entry.runId, error })
  }
  queue(kept, entry)
}

function resumeAll(kept: KeptRuns, ready: (run: Run) => Promise<void>): Promise<void> {
  const { database, logger, policies, isAnswered, entries } = kept
  return resumeRuns(
    {
      database,
      logger,
      policies,
      isAnswered,
      isHere: (runId) => entries.has(runId),
      admit: (run) => admit(kept, run, undefined),
      cancel: (entry) => stop(kept, entry, 'cancel'),
      rest: (entry, run) => rest(kept, entry, run),
      queue: (entry) => queue(kept, entry),
    },
    ready,
  )
}

async function park(kept: KeptRuns): Promise<void> {
  kept.parked = true
  const all = [...kept.entries.values()]
  for (const entry of all) stop(kept, entry, 'park')
  await Promise.all(all.map(({ ended }) => ended))
}
