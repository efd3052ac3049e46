import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CallRecord } from '../common/call-record.js'
import { storeCalls, storedCallOf } from './store-calls.js'
import type { StoredCall } from './stored-call.js'

/** How long calls wait for a batch, in milliseconds. */
const gatherMs = 100
/** How many calls one transaction stores. */
const maxBatch = 100
/**
 * How many calls may wait. Beyond it the oldest is dropped and logged: a store that does not write
 * must not fill memory.
 */
const maxWaiting = 10_000

/** Records the usage of every call. */
export interface UsageLedger {
  /**
   * Takes a call that has ended, and stores it shortly after; calls without a user are not stored.
   * Returns its cost, in billionths of a US dollar.
   */
  add(record: CallRecord): number
  /** Resolves once everything added so far is stored or has failed. */
  settled(): Promise<void>
}

/** To stop it, await {@link UsageLedger.settled}. */
export function createUsageLedger(dependencies: {
  readonly database: Database
  readonly catalogue: () => Catalogue
  readonly clock: Clock
  readonly log: Logger
}): UsageLedger {
  const { database, catalogue, clock, log } = dependencies
  let waiting: StoredCall[] = []
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false
  let dropped = 0

  const flush = async (): Promise<void> => {
    isScheduled = false
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(batch.length)
      await database
        .transaction((transaction) => storeCalls(transaction, batch))
        .catch((error: unknown) => {
          log.error('The usage of model calls could not be stored; it is missing in the sums.', { calls: batch.length, error })
        })
    }
    if (dropped > 0)
      log.error('The usage of model calls was dropped because too many calls waited to be stored; it is missing in the sums.', {
        calls: dropped,
      })
    dropped = 0
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    clock.after(gatherMs, () => {
      writing = writing.then(flush)
    })
  }

  const settled = async (): Promise<void> => {
    writing = writing.then(flush)
    await writing
  }

  return {
    add(record) {
      const { attribution } = record
      if (!attribution) return 0
      const call = storedCallOf(uuidv7(), record, attribution.userId, catalogue())
      waiting.push(call)
      if (waiting.length > maxWaiting) {
        waiting.shift()
        dropped += 1
      }
      schedule()
      return call.cost_nano_usd ?? 0
    },
    settled,
  }
}
