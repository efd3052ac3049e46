import type { Disposer, Logger } from '@agent-service/sdk'
import type { CommitBatch, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'

/** Makes unreadable in the store's files what commits delete. */
export interface Purging {
  /** Called after each commit. A purge follows a deletion within seconds, and within minutes a commit that may only have replaced something. */
  committed(batch: CommitBatch): void
  /** Resolves when nothing is left of what was deleted before the call. @throws the errors of the driver's `purge`. */
  purge(options: { readonly signal: AbortSignal }): Promise<void>
  /** Ends the purge that is under way; the next start goes on with it. */
  stop(): Promise<void>
}

/** All in milliseconds. */
const times = {
  /** Between a deletion and its purge, so that one purge serves everything that is deleted together. */
  afterDeletion: 1_000,
  /** For what was replaced. */
  afterReplacement: 10 * 60_000,
  /** Of the start: what the process before was asked to delete, and may not have ended. */
  afterStart: 3_000,
  afterFailure: 60_000,
} as const

/** Purges take a share of the time: after one that took a second none begins for so many seconds. */
const restsFor = 20

/**
 * Makes it. The first purge follows the start without being asked for: whatever a killed process did not end is ended then, and nothing needs to be
 * remembered for it. One purge runs at a time.
 */
export function createPurging(dependencies: {
  readonly connection: Pick<DatabaseConnection, 'purge'>
  readonly clock: Clock
  readonly log: Logger
}): Purging {
  const { connection, clock, log } = dependencies
  const ending = new AbortController()
  let due: { readonly at: number; readonly cancel: Disposer } | undefined
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let restsUntil = 0

  const schedule = (inMs: number): void => {
    if (ending.signal.aborted) return
    const at = Math.max(clock.monotonic() + inMs, restsUntil)
    if (due && due.at <= at) return
    void due?.cancel()
    due = { at, cancel: clock.after(at - clock.monotonic(), begin) }
  }

  const begin = (): void => {
    due = undefined
    // What was deleted while a purge ran asks for the next one, as it may have come too late for that.
    if (isRunning || clock.monotonic() < restsUntil) schedule(times.afterDeletion)
    else void purge(ending.signal).catch(failed)
  }

  const failed = (error: unknown): void => {
    if (ending.signal.aborted) return
    log.warn('What was deleted could not be removed from the files of the database yet; it is tried again.', { error })
    schedule(times.afterFailure)
  }

  const purge = (signal: AbortSignal): Promise<void> => {
    const result = running.then(async () => {
      isRunning = true
      const began = clock.monotonic()
      log.debug('What was deleted is being removed from the files of the database.')
      try {
        await connection.purge({ signal })
        const took = clock.monotonic() - began
        restsUntil = clock.monotonic() + took * restsFor
        log.debug('The files of the database hold nothing more of what was deleted.', { took_ms: Math.round(took) })
      } finally {
        isRunning = false
      }
    })
    running = result.catch(() => undefined)
    return result
  }

  schedule(times.afterStart)

  return {
    committed({ writes }) {
      if (writes.length === 0) return
      schedule(writes.some(({ kind }) => kind === 'delete') ? times.afterDeletion : times.afterReplacement)
    },
    purge: ({ signal }) => purge(AbortSignal.any([signal, ending.signal])),
    async stop() {
      ending.abort(new DOMException('The database is being closed.', 'AbortError'))
      void due?.cancel()
      due = undefined
      await running
    },
  }
}
