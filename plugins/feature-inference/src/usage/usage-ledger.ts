import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { CallRecord } from '../calls/call-record.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import { costOf } from './price.js'
import { callCollection, type StoredCall } from './stored-call.js'
import { addCounts, chatSumCollection, countsOf, daySumCollection, emptyChatSum, emptyDaySum, type UsageCounts } from './usage-sum.js'

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
      await write(database, batch).catch((error: unknown) => {
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

  return {
    add(record) {
      const { attribution } = record
      if (!attribution) return 0
      const call = storedCallOf(record, attribution.userId, catalogue())
      waiting.push(call)
      if (waiting.length > waitingLimit) {
        waiting.shift()
        lost += 1
      }
      schedule()
      return call.cost_nano_usd ?? 0
    },
    async settled() {
      writing = writing.then(flush)
      await writing
    },
  }
}

function storedCallOf(record: CallRecord, userId: string, catalogue: Catalogue): StoredCall {
  const { attribution, usage } = record
  const cost = usage && costOf(usage, catalogue.model(record.brand, record.model)?.price)
  return {
    id: uuidv7(),
    user_id: userId,
    agent_id: attribution?.agentId ?? null,
    chat_id: attribution?.chatId ?? null,
    run_id: attribution?.runId ?? null,
    group: record.group,
    fallback: record.fallback,
    retries: record.retries,
    provider: record.connection,
    model: record.model,
    protocol: record.protocol,
    started_at: new Date(record.startedAt).toISOString(),
    duration_ms: record.durationMs,
    first_token_ms: record.firstTokenMs ?? null,
    outcome: record.outcome,
    failure: record.failure ?? null,
    stop_reason: record.stopReason ?? null,
    input_tokens: usage?.input_tokens ?? 0,
    cached_input_tokens: usage?.cached_input_tokens ?? 0,
    cache_write_input_tokens: usage?.cache_write_input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
    reasoning_tokens: usage?.reasoning_tokens ?? 0,
    estimated: usage?.estimated === true,
    cost_nano_usd: cost ?? null,
    price_version: cost === undefined ? null : usage?.cost_usd === undefined ? catalogue.version : 'vendor',
    request_id: record.requestId ?? null,
    in_one_piece: record.inOnePiece,
  }
}

/** Stores calls and adds them to their sums, all of them or none. */
async function write(database: Database, calls: readonly StoredCall[]): Promise<void> {
  const days = gather(calls, emptyDaySum)
  const chats = gather(
    calls.filter(({ chat_id }) => chat_id !== null),
    (call) => emptyChatSum(call, call.chat_id ?? ''),
  )
  await database.transaction(async (transaction) => {
    for (const call of calls) transaction.insert(callCollection, call)
    for (const { empty, added } of days) {
      const before = (await transaction.get(daySumCollection, empty.id)) ?? empty
      transaction.put(daySumCollection, { ...before, ...addCounts(before, added) })
    }
    for (const { empty, added } of chats) {
      const before = (await transaction.get(chatSumCollection, empty.id)) ?? empty
      transaction.put(chatSumCollection, { ...before, ...addCounts(before, added) })
    }
  })
}

/** What the calls add to each sum. */
function gather<Sum extends UsageCounts & { readonly id: string }>(
  calls: readonly StoredCall[],
  emptyOf: (call: StoredCall) => Sum,
): readonly { readonly empty: Sum; readonly added: UsageCounts }[] {
  const sums = new Map<string, { readonly empty: Sum; readonly added: UsageCounts }>()
  for (const call of calls) {
    const empty = emptyOf(call)
    const known = sums.get(empty.id)
    sums.set(empty.id, { empty, added: known ? addCounts(known.added, countsOf(call)) : countsOf(call) })
  }
  return [...sums.values()]
}
