import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CallRecord } from '../common/call-record.js'
import { storeCalls, storedCallOf } from './store-calls.js'
import type { StoredCall } from './stored-call.js'

/** How long calls wait to be written together, in milliseconds. */
const gatherMs = 100
/** How many are written together at most. */
const batchLimit = 100
/** How many may wait. Beyond it the oldest is given up, and said so: a store that does not write must not fill the memory. */
const waitingLimit = 10_000

/** Writes down what every call used. */
export interface UsageLedger {
  /** Takes a call that has ended. It is stored within a moment; a call on nobody's behalf is not. Answers what it cost, in billionths of a US dollar. */
  add(record: CallRecord): number
  /** Resolves once everything that was added before is stored, or could not be. */
  settled(): Promise<void>
}

/** Makes a ledger with nothing waiting. The caller ends it by {@link UsageLedger.settled}. */
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
  let lost = 0

  const flush = async (): Promise<void> => {
    isScheduled = false
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLimit)
      waiting = waiting.slice(batch.length)
      await database
        .transaction((transaction) => storeCalls(transaction, batch))
        .catch((error: unknown) => {
          log.error('What calls of models used could not be stored; it is missing in the sums.', { calls: batch.length, error })
        })
    }
    if (lost > 0) log.error('What calls of models used could not be stored in time; it is missing in the sums.', { calls: lost })
    lost = 0
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
      if (waiting.length > waitingLimit) {
        waiting.shift()
        lost += 1
      }
      schedule()
      return call.cost_nano_usd ?? 0
    },
    settled,
  }
}
