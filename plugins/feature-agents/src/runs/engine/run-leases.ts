import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Run } from '../../store/runs/run.js'
import { runDriverCollection } from '../../store/runs/run-driver-record.js'

/** How long a process counts as there after its last sign, in milliseconds. */
const leaseMs = 30_000
/** How often it gives one. */
const renewalMs = 10_000
/** When the last sign of a process is of no use any more, in milliseconds. */
const expiredAfterMs = 24 * 3_600_000
/** How far the clocks of two machines may be apart. */
const skewMs = 5_000

/**
 * Says which process may drive a run: the one that the run names, as long as it gives signs of life. What it writes after that is refused by the run's
 * epoch, so two processes never both move one run on. A store that one process owns needs no signs: whoever was there before is gone.
 */
export interface RunLeases {
  /** This process among the drivers. */
  readonly driverId: string
  /** Gives the first sign and goes on to. */
  begin(): Promise<void>
  /** How long another process may still drive this run, in milliseconds; 0: it is free, or this process's own. */
  heldMs(transaction: Transaction, run: Pick<Run, 'driver'>): Promise<number>
  /** Gives no more signs, and takes back the last: what this process drove is free at once. */
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
        .catch((error: unknown) => logger.error('This process could not say that it is there: others may take its runs.', { error }))
        .finally(signLater)
    })
  }

  /** Processes that went down leave their last sign behind. */
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
