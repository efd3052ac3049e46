import type { Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import type { LostCallRecord } from '../calls/lost-calls.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import { hasRecordedEnd, idOfLostCall } from './lost-call.js'
import { storeCalls, storedCallOf } from './store-calls.js'
import { callCollection, type StoredCall } from './stored-call.js'
import type { UsageLedger } from './usage-ledger.js'

/** How many calls one transaction stores. */
const maxBatch = 100

/** A stored lost call and its cost, in billionths of a US dollar. */
export interface AccountedLoss {
  readonly record: LostCallRecord
  readonly cost: number
}

/** Records the usage of calls that were lost in a crash. */
export interface LossLedger {
  /**
   * Stores lost calls, batched with those of concurrent callers: after a crash there are many at
   * once. Returns the calls that it stored, without those that are stored already or whose end is.
   * Never rejects.
   */
  add(records: readonly LostCallRecord[]): Promise<readonly AccountedLoss[]>
}

export function createLossLedger(dependencies: {
  readonly database: Database
  readonly catalogue: () => Catalogue
  /** Stores the calls that have ended normally. */
  readonly ledger: Pick<UsageLedger, 'settled'>
  readonly log: Logger
}): LossLedger {
  const { database, catalogue, ledger, log } = dependencies
  /** The next batch, while another is being written. */
  let gathering: { readonly records: LostCallRecord[]; readonly stored: Promise<ReadonlyMap<LostCallRecord, number>> } | undefined
  let writing: Promise<unknown> = Promise.resolve()

  const gather = (): NonNullable<typeof gathering> => {
    const records: LostCallRecord[] = []
    const stored = writing.then(() => {
      gathering = undefined
      return storeAll(records)
    })
    writing = stored
    return { records, stored }
  }

  const storeAll = async (records: readonly LostCallRecord[]): Promise<ReadonlyMap<LostCallRecord, number>> => {
    const stored = new Map<LostCallRecord, number>()
    for (let start = 0; start < records.length; start += maxBatch) {
      const batch = records.slice(start, start + maxBatch)
      try {
        for (const [record, { cost_nano_usd }] of await storeBatch(batch)) stored.set(record, cost_nano_usd ?? 0)
      } catch (error) {
        log.error('The usage of lost model calls could not be stored; it is missing in the sums.', { calls: batch.length, error })
      }
    }
    return stored
  }

  const storeBatch = async (records: readonly LostCallRecord[]): Promise<ReadonlyMap<LostCallRecord, StoredCall>> => {
    await ledger.settled()
    const ended = await Promise.all(records.map((record) => hasRecordedEnd(database, record)))
    const calls = records
      .filter((_, index) => ended[index] === false)
      .map((record) => [record, storedCallOf(idOfLostCall(record), record, record.attribution.userId, catalogue())] as const)
    return await database.transaction(async (transaction) => {
      const fresh = new Map<LostCallRecord, StoredCall>()
      const ids = new Set<string>()
      for (const [record, call] of calls) {
        if (ids.has(call.id) || (await transaction.get(callCollection, call.id))) continue
        ids.add(call.id)
        fresh.set(record, call)
      }
      await storeCalls(transaction, [...fresh.values()])
      return fresh
    })
  }

  return {
    async add(records) {
      gathering ??= gather()
      gathering.records.push(...records)
      const stored = await gathering.stored
      return records.flatMap((record) => {
        const cost = stored.get(record)
        return cost === undefined ? [] : [{ record, cost }]
      })
    },
  }
}
