import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { createCounts } from '../../common/counts.js'
import { tooManyRunsError } from '../../common/errors.js'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import { isFinished, type Run, runCollection } from '../../store/runs/run.js'
import type { StopCause } from '../session/run-session.js'
import { endedOrAborted, longestMs, stopReasons } from '../session/run-stopping.js'
import type { LiveMessage } from '../streaming/live-message.js'
import { resumeRuns } from './resume-runs.js'
import type { RunDriver } from './run-driver.js'
import { newEntry, type RunEntry } from './run-entry.js'
import { createRunPlaces, type RunLimits } from './run-places.js'
import { isTakenUp, type RunControl, type TakeUp } from './take-up.js'

/** How long a cancel waits for its confirmation, in milliseconds. */
const cancelWaitMs = 10_000
/** How long a run rests after the store failed it, in milliseconds: longer each time, and not for ever. */
const retryDelaysMs = [1_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000]

/** Longer timers are no timers. */
const longestTimerMs = 24 * 3_600_000

/** Keeps the runs of this process: begins them, ends them, takes up those that an earlier process left. */
export interface RunManager {
  /** Keeps room for one more run of a user while it is being stored; the result gives it back. @throws `too_many_runs`. */
  reserve(userId: string): () => void
  /** Whether a run of this user that began now would go on at once. */
  hasRoom(userId: string): boolean
  /** Drives a run that was stored just now. Returns at once. */
  begin(fresh: FreshRun): void
  /** Something that a waiting run waits for may be there: it looks. Returns at once; a run that goes on anyway is not disturbed. */
  wake(run: Pick<Run, 'id' | 'user_id'> & { readonly parent?: Run['parent'] }): void
  /** Resolves once this process has nothing more to do with the run: it has ended, or it never had. */
  ended(runId: string): Promise<void>
  /**
   * Asks a run to stop and waits until it has, as long as the signal. A driver that does not stop within 10 seconds is shut out, and the run ends
   * without it. A run that has ended stays as it is.
   * @throws `not_found`.
   */
  cancel(runId: string, options: { readonly signal: AbortSignal }): Promise<Run>
  /** The message that a run is writing right now. */
  liveMessage(runId: string): LiveMessage | undefined
  /** Looks up every open run of the store; each is taken up once `ready` resolves for it. */
  resumeAll(ready: (run: Run) => Promise<void>): Promise<void>
  /** Whether this process drives no run any more. */
  isParked(): boolean
  /** Stops driving: every run stays where its log ends and is taken up at the next start. */
  park(): Promise<void>
}

export function createRunManager(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly takeUp: TakeUp
  readonly driver: RunDriver
  /** Whether something that the run asked a person for is there by now. */
  readonly isAnswered: (run: Run) => Promise<boolean>
  readonly policies: Pick<PolicyService, 'expectQuestions'>
  readonly logger: Logger
  readonly limits: RunLimits
}): RunManager {
  const { database, clock, takeUp, driver, isAnswered, policies, logger, limits } = dependencies
  const runs = database.collection(runCollection)
  const entries = new Map<string, RunEntry>()
  /** Runs of each user that are here or about to be. */
  const open = createCounts()
  const places = createRunPlaces({ limits, begin: (entry) => start(entry) })
  let parked = false

  const admit = (run: Pick<Run, 'id' | 'user_id'> & { readonly parent?: Run['parent'] }, fresh: FreshRun | undefined): RunEntry => {
    const entry = newEntry(run, fresh)
    entries.set(run.id, entry)
    open.add(entry.userId)
    return entry
  }

  const release = (entry: RunEntry): void => {
    void entry.stopTimer?.()
    places.withdraw(entry)
    if (entries.delete(entry.runId)) open.remove(entry.userId)
    entry.reportUnderWay()
    entry.end()
  }

  const start = (entry: RunEntry): void => {
    void entry.stopTimer?.()
    entry.place = 'driven'
    entry.woken = false
    entry.leave = places.occupy(entry)
    void driveOn(entry).finally(entry.leave)
  }

  /** Never rejects. Afterwards the entry is gone, or rests. */
  const driveOn = async (entry: RunEntry): Promise<void> => {
    try {
      const { fresh } = entry
      entry.fresh = undefined
      const control = controlOf(entry)
      const taken = fresh ? await takeUp.fresh(fresh, control) : await takeUp.stored(entry.runId, control)
      if (taken && !isTakenUp(taken)) {
        restFor(entry, taken.heldMs)
        return
      }
      if (taken) {
        const { session, refusal } = taken
        entry.session = session
        const stopWatch = clock.after(longestMs(session), () => stop(entry, 'overdue'))
        try {
          if (refusal && entry.stopCause === undefined) await driver.refuse(session, refusal)
          else await driver.drive(session)
        } finally {
          void stopWatch()
          session.pace.close()
          entry.session = undefined
        }
        if (session.run.status === 'waiting') {
          rest(entry, session.run)
          return
        }
      }
      release(entry)
    } catch (error) {
      failed(entry, error)
    }
  }

  /** The run waits for a person: it keeps no place among the driven, and looks again when the first question expires. */
  const rest = (entry: RunEntry, run: Run): void => {
    if (parked || entries.get(entry.runId) !== entry) {
      release(entry)
      return
    }
    entry.place = 'resting'
    entry.failures = 0
    if (entry.stopCause === 'cancel') start(entry)
    else if (entry.woken) queue(entry)
    else {
      restFor(entry, run.asking_until === null ? 0 : Date.parse(run.asking_until) - clock.now())
    }
  }

  /** The run is looked at again after this time. */
  const restFor = (entry: RunEntry, forMs: number): void => {
    if (parked || entries.get(entry.runId) !== entry) {
      release(entry)
      return
    }
    restUntil(entry, Math.min(Math.max(forMs, 0), longestTimerMs))
  }

  const failed = (entry: RunEntry, error: unknown): void => {
    const delay = retryDelaysMs[entry.failures]
    entry.failures += 1
    if (parked || delay === undefined) {
      logger.error('A run could not be driven on. It is taken up at the next start.', { run_id: entry.runId, error })
      release(entry)
      return
    }
    logger.warn('A run could not be driven on. It is taken up again.', { run_id: entry.runId, in_ms: delay, error })
    restUntil(entry, delay)
  }

  const restUntil = (entry: RunEntry, forMs: number): void => {
    entry.place = 'resting'
    entry.stopTimer = clock.after(forMs, () => queue(entry))
    entry.reportUnderWay()
  }

  /** The run may have its turn now. */
  const queue = (entry: RunEntry): void => {
    if (entry.place === 'resting' && !parked && entries.get(entry.runId) === entry) takePlace(entry)
  }

  const takePlace = (entry: RunEntry): void => {
    entry.place = 'waiting'
    if (!places.beginInTurn(entry)) entry.reportUnderWay()
  }

  const stop = (entry: RunEntry, cause: StopCause): void => {
    if (entry.stopCause === undefined) {
      entry.stopCause = cause
      entry.controller.abort(new DOMException(stopReasons[cause], 'AbortError'))
    }
    if (entry.place === 'driven') return
    // A cancel does not wait for its turn: it is one short transition.
    if (cause === 'cancel' && !parked) start(entry)
    else release(entry)
  }

  /** Ends a run whose driver does not stop: with a new epoch, so that whatever that driver still does is refused. */
  const shutOut = async (entry: RunEntry): Promise<void> => {
    logger.error('A run did not stop when it was cancelled. It is ended without its driver.', { run_id: entry.runId })
    const control: RunControl = { ...controlOf(entry), signal: AbortSignal.abort(), stopCause: () => 'cancel' }
    const taken = await takeUp.stored(entry.runId, control, { force: true })
    if (isTakenUp(taken)) {
      try {
        await driver.drive(taken.session)
      } finally {
        taken.session.pace.close()
      }
    }
    entry.leave()
    release(entry)
  }

  return {
    reserve(userId) {
      if (open.of(userId) >= limits.openPerUser) throw tooManyRunsError.create({ limit: limits.openPerUser })
      open.add(userId)
      let given = true
      return () => {
        if (given) open.remove(userId)
        given = false
      }
    },

    hasRoom: (userId) => !parked && places.hasRoom(userId),

    begin(fresh) {
      // After the last moment it is only stored, and the next start takes it up.
      if (parked) return
      takePlace(admit(fresh.run, fresh))
    },

    wake(run) {
      if (parked) return
      const entry = entries.get(run.id)
      if (!entry) {
        queue(admit(run, undefined))
      } else if (entry.place === 'driven') entry.woken = true
      else {
        void entry.stopTimer?.()
        queue(entry)
      }
    },

    ended: (runId) => entries.get(runId)?.ended ?? Promise.resolve(),

    async cancel(runId, { signal }) {
      // Remembered first, so that a crash before the confirmation does not bring the run back to life.
      const run = await database.transaction(async (transaction) => {
        const current = await transaction.get(runCollection, runId)
        if (!current) throw notFoundError.create({ what: 'run' })
        if (isFinished(current) || current.cancel_requested_at !== null) return current
        const marked: Run = { ...current, cancel_requested_at: new Date(clock.now()).toISOString() }
        transaction.put(runCollection, marked)
        return marked
      })
      if (isFinished(run)) return run
      const entry = entries.get(runId) ?? admit(run, undefined)
      stop(entry, 'cancel')
      await endedOrAborted(entry.ended, AbortSignal.any([signal, AbortSignal.timeout(cancelWaitMs)]))
      const now = (await runs.get(runId)) ?? run
      if (isFinished(now) || signal.aborted || parked) return now
      await shutOut(entry)
      return (await runs.get(runId)) ?? now
    },

    liveMessage: (runId) => entries.get(runId)?.session?.live,

    resumeAll: (ready) =>
      resumeRuns(
        {
          database,
          logger,
          policies,
          isAnswered,
          isHere: (runId) => entries.has(runId),
          admit: (run) => admit(run, undefined),
          cancel: (entry) => stop(entry, 'cancel'),
          rest,
          queue,
        },
        ready,
      ),

    isParked: () => parked,

    async park() {
      parked = true
      const all = [...entries.values()]
      for (const entry of all) stop(entry, 'park')
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

const controlOf = (entry: RunEntry): RunControl => ({
  signal: entry.controller.signal,
  stopCause: () => entry.stopCause,
  reportUnderWay: entry.reportUnderWay,
})
