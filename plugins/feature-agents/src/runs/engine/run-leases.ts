import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Run } from '../../store/runs/run.js'
import { runDriverCollection } from '../../store/runs/run-driver-record.js'

/** How long a process counts as alive after its last heartbeat, in milliseconds. */
const leaseMs = 30_000
/** The interval of heartbeats, in milliseconds. */
const renewalMs = 10_000
/** The age at which the last heartbeat of a process is deleted, in milliseconds. */
const expiredAfterMs = 24 * 3_600_000
/** How far the clocks of two machines may differ, in milliseconds. */
const skewMs = 5_000

/**
 * Decides which process may drive a run: the one that the run names, as long as it sends
 * heartbeats. The run's epoch refuses its later writes, so two processes never both advance one
 * run. A store that one process owns needs no heartbeats: every earlier process has ended.
 */
export interface RunLeases {
  /** This process among the drivers. */
  readonly driverId: string
  /** Sends the first heartbeat and continues to. */
  begin(): Promise<void>
  /**
   * How long another process may still drive this run, in milliseconds; 0: the run is free or this
   * process's own.
   */
  heldMs(transaction: Transaction, run: Pick<Run, 'driver'>): Promise<number>
  /** Stops the heartbeats and withdraws the last one: the runs of this process are free at once. */
  end(): Promise<void>
}

export function createRunLeases(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly driverId: string
}): RunLeases {
  const { database, clock, logger, driverId } = dependencies
  const drivers = database.collection(runDriverCollection)
  let stopTimer: Disposer | undefined
  let ended = false

  const sign = async (): Promise<void> => {
    await drivers.put({ id: driverId, lease_until: new Date(clock.now() + leaseMs).toISOString() })
  }
  const signLater = (): void => {
    if (ended) return
    stopTimer = clock.after(renewalMs, () => {
      sign()
        .catch((error: unknown) =>
          logger.error('This process could not send its heartbeat: other processes may claim its runs.', { error }),
        )
        .finally(signLater)
    })
  }

  /** Crashed processes leave their last heartbeat behind. */
  const removeExpired = async (): Promise<void> => {
    const gone = await drivers.query({ index: 'by_end', to: new Date(clock.now() - expiredAfterMs).toISOString(), limit: 200 })
    for (const { id } of gone.items) await drivers.delete(id)
  }

  return {
    driverId,
    async begin() {
      if (!database.shared) return
      await sign()
      signLater()
      await removeExpired()
    },
    async heldMs(transaction, { driver }) {
      if (!database.shared || driver === null || driver === driverId) return 0
      const record = await transaction.get(runDriverCollection, driver)
      return record ? Math.max(0, Date.parse(record.lease_until) + skewMs - clock.now()) : 0
    },
    async end() {
      ended = true
      await stopTimer?.()
      if (database.shared) await drivers.delete(driverId)
    },
  }
}
