import type { Disposer, Logger } from '@agent-service/sdk'
import type { CommitBatch, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { Clock } from '@agent-service/sdk/services/clock'

/** All in milliseconds. */
const times = {
  /** Between a deletion and its purge, so that one purge covers everything deleted in that time. */
  afterDeletion: 1_000,
  /** Between a replacement and its purge. */
  afterReplacement: 10 * 60_000,
  /** Between the start and the purge of data that the previous process may not have purged. */
  afterStart: 3_000,
  afterFailure: 60_000,
} as const

/**
 * Limits the share of time for purges: after a purge of one second, none begins for this many
 * seconds.
 */
const restsFor = 20

/**
 * Makes deleted data unreadable in the store's files. The first purge follows the start automatically and completes the work of a killed
 * process, so no state needs to be stored. One purge runs at a time.
 */
export function createPurging(dependencies: {
  readonly connection: Pick<DatabaseConnection, 'purge'>
  readonly clock: Clock
  readonly log: Logger
}) {
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
    // Deletions during a purge request the next one, as they may have come too late for this one.
    if (isRunning || clock.monotonic() < restsUntil) schedule(times.afterDeletion)
    else void purge(ending.signal).catch(failed)
  }

  const failed = (error: unknown): void => {
    if (ending.signal.aborted) return
    log.warn('Deleted data could not be removed from the files of the database yet; retrying.', { error })
    schedule(times.afterFailure)
  }

  const purge = (signal: AbortSignal): Promise<void> => {
    const result = running.then(async () => {
      isRunning = true
      const began = clock.monotonic()
      log.debug('Removing deleted data from the files of the database.')
      try {
        await connection.purge({ signal })
        const took = clock.monotonic() - began
        restsUntil = clock.monotonic() + took * restsFor
        log.debug('Removed deleted data from the files of the database.', { took_ms: Math.round(took) })
      } finally {
        isRunning = false
      }
    })
    running = result.catch(() => undefined)
    return result
  }

  schedule(times.afterStart)

  return {
    /**
     * Called after each commit. A purge follows a deletion within seconds, and a possible replacement
     * within minutes.
     */
    committed({ writes }: CommitBatch): void {
      if (writes.length === 0) return
      schedule(writes.some(({ kind }) => kind === 'delete') ? times.afterDeletion : times.afterReplacement)
    },
    /**
     * Resolves when no data deleted before the call is left.
     * @throws the errors of the driver's `purge`.
     */
    purge: ({ signal }: { readonly signal: AbortSignal }): Promise<void> => purge(AbortSignal.any([signal, ending.signal])),
    /** Ends the purge under way; the next start resumes it. */
    async stop(): Promise<void> {
      ending.abort(new DOMException('The database is being closed.', 'AbortError'))
      void due?.cancel()
      due = undefined
      await running
    },
  }
}
