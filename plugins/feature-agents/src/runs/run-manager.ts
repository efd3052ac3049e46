import type { Disposer, Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { tooManyRunsError } from '../errors.js'
import { createCounts } from './counts.js'
import type { FreshRun } from './fresh-run.js'
import type { LiveMessage } from './live-message.js'
import { isFinished, type Run, runCollection } from './run.js'
import type { RunDriver } from './run-driver.js'
import type { RunSession, StopCause } from './run-session.js'
import type { TakeUp } from './take-up.js'

/** How long a cancel waits for its confirmation, in milliseconds. */
const cancelWaitMs = 10_000
/** How long a run rests after the store failed it, in milliseconds: longer each time, and not for ever. */
const retryDelaysMs = [1_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000]

/** How many runs there may be. */
export interface RunLimits {
  /** Going on in this process; the others wait in the order in which they came. */
  readonly concurrent: number
  /** Going on for one user, so that nobody keeps the others waiting. */
  readonly concurrentPerUser: number
  /** Queued or going on for one user. */
  readonly openPerUser: number
}

/** Keeps the runs of this process: begins them, ends them, takes up those that an earlier process left. */
export interface RunManager {
  /** Keeps room for one more run of a user while it is being stored; the result gives it back. @throws `too_many_runs`. */
  reserve(userId: string): () => void
  /** Whether a run of this user that began now would go on at once. */
  hasRoom(userId: string): boolean
  /** Drives a run that was stored just now. Returns at once. */
  begin(fresh: FreshRun): void
  /**
   * Asks a run to stop and waits until it has, for 10 seconds at most and as long as the signal. A run that has ended stays as it is.
   * @throws `not_found`.
   */
  cancel(runId: string, options: { readonly signal: AbortSignal }): Promise<Run>
  /** The message that a run is writing right now. */
  liveMessage(runId: string): LiveMessage | undefined
  /** Looks up every open run of the store; each is taken up once `ready` resolves for it. */
  resumeAll(ready: (run: Run, signal: AbortSignal) => Promise<void>): Promise<void>
  /** Stops driving: every run stays where its log ends and is taken up at the next start. */
  park(): Promise<void>
}

/** A run in this process. `resting`: something has to come before it may wait for its turn. */
interface Entry {
  readonly runId: string
  readonly userId: string
  place: 'resting' | 'waiting' | 'driven'
  /** The run as it was stored, where this process has stored it and nobody has driven it yet. */
  fresh: FreshRun | undefined
  session: RunSession | undefined
  failures: number
  stopTimer: Disposer | undefined
  stopCause: StopCause | undefined
  readonly controller: AbortController
  readonly ended: Promise<void>
  readonly end: () => void
}

export function createRunManager(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly takeUp: TakeUp
  readonly driver: RunDriver
  readonly logger: Logger
  readonly limits: RunLimits
}): RunManager {
  const { database, clock, takeUp, driver, logger, limits } = dependencies
  const runs = database.collection(runCollection)
  const entries = new Map<string, Entry>()
  /** Runs of each user that are here or about to be. */
  const open = createCounts()
  const driven = createCounts()
  const waiting = new Set<Entry>()
  let parked = false

  const admit = (run: Run, place: 'resting' | 'waiting', fresh: FreshRun | undefined): Entry => {
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const entry: Entry = {
      runId: run.id,
      userId: run.user_id,
      place,
      fresh,
      session: undefined,
      failures: 0,
      stopTimer: undefined,
      stopCause: undefined,
      controller: new AbortController(),
      ended,
      end,
    }
    entries.set(run.id, entry)
    open.add(entry.userId)
    if (place === 'waiting') waiting.add(entry)
    return entry
  }

  const release = (entry: Entry): void => {
    void entry.stopTimer?.()
    waiting.delete(entry)
    if (entries.delete(entry.runId)) open.remove(entry.userId)
    entry.end()
  }

  const hasRoom = (userId: string): boolean => !parked && driven.total() < limits.concurrent && driven.of(userId) < limits.concurrentPerUser

  const startNext = (): void => {
    for (const entry of waiting) {
      if (driven.total() >= limits.concurrent) return
      if (hasRoom(entry.userId)) start(entry)
    }
  }

  const start = (entry: Entry): void => {
    void entry.stopTimer?.()
    waiting.delete(entry)
    entry.place = 'driven'
    driven.add(entry.userId)
    void driveOn(entry).finally(() => {
      driven.remove(entry.userId)
      startNext()
    })
  }

  /** Never rejects. Afterwards the entry is gone, or rests. */
  const driveOn = async (entry: Entry): Promise<void> => {
    try {
      const { fresh } = entry
      entry.fresh = undefined
      const control = { signal: entry.controller.signal, stopCause: () => entry.stopCause }
      const taken = fresh ? await takeUp.fresh(fresh, control) : await takeUp.stored(entry.runId, control)
      if (taken) {
        const { session, refusal } = taken
        entry.session = session
        try {
          if (refusal && entry.stopCause === undefined) await driver.refuse(session, refusal)
          else await driver.drive(session)
        } finally {
          session.pace.close()
          entry.session = undefined
        }
      }
      release(entry)
    } catch (error) {
      failed(entry, error)
    }
  }

  const failed = (entry: Entry, error: unknown): void => {
    const delay = retryDelaysMs[entry.failures]
    entry.failures += 1
    if (parked || delay === undefined) {
      logger.error('A run could not be driven on. It is taken up at the next start.', { run_id: entry.runId, error })
      release(entry)
      return
    }
    logger.warn('A run could not be driven on. It is taken up again.', { run_id: entry.runId, in_ms: delay, error })
    entry.place = 'resting'
    entry.stopTimer = clock.after(delay, () => queue(entry))
  }

  /** The run may have its turn now. */
  const queue = (entry: Entry): void => {
    if (entry.place !== 'resting' || parked || entries.get(entry.runId) !== entry) return
    entry.place = 'waiting'
    waiting.add(entry)
    startNext()
  }

  const stop = (entry: Entry, cause: StopCause): void => {
    if (entry.stopCause === undefined) {
      entry.stopCause = cause
      entry.controller.abort(new DOMException(cause === 'cancel' ? 'The run was cancelled.' : 'The service is stopping.', 'AbortError'))
    }
    if (entry.place === 'driven') return
    // A cancel does not wait for its turn: it is one short transition.
    if (cause === 'cancel' && !parked) start(entry)
    else release(entry)
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

    hasRoom,

    begin(fresh) {
      // After the last moment it is only stored, and the next start takes it up.
      if (parked) return
      admit(fresh.run, 'waiting', fresh)
      startNext()
    },

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
      const entry = entries.get(runId) ?? admit(run, 'resting', undefined)
      stop(entry, 'cancel')
      await endedOrAborted(entry.ended, AbortSignal.any([signal, AbortSignal.timeout(cancelWaitMs)]))
      return (await runs.get(runId)) ?? run
    },

    liveMessage: (runId) => entries.get(runId)?.session?.live,

    async resumeAll(ready) {
      const found: { readonly run: Run; readonly entry: Entry }[] = []
      for (const status of ['running', 'waiting', 'queued'] as const) {
        let cursor: string | undefined
        do {
          const page = await runs.query({ index: 'by_status', equals: [status], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
          for (const run of page.items) if (!entries.has(run.id)) found.push({ run, entry: admit(run, 'resting', undefined) })
          cursor = page.nextCursor
        } while (cursor !== undefined)
      }
      if (found.length > 0) logger.info('Runs that were open are taken up.', { runs: found.length })
      for (const { run, entry } of found) {
        if (run.cancel_requested_at !== null) {
          stop(entry, 'cancel')
          continue
        }
        ready(run, entry.controller.signal)
          .catch((error: unknown) => logger.warn('A run is taken up although something it waited for failed.', { run_id: run.id, error }))
          .then(() => queue(entry))
      }
    },

    async park() {
      parked = true
      const all = [...entries.values()]
      for (const entry of all) stop(entry, 'park')
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

/** Resolves when the run has ended or the signal is aborted, whichever is first. */
async function endedOrAborted(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let stop: () => void = () => undefined
  try {
    await new Promise<void>((resolve) => {
      stop = resolve
      signal.addEventListener('abort', stop, { once: true })
      void ended.then(resolve)
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
