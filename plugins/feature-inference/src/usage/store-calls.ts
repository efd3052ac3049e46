import type { Transaction } from '@agent-service/sdk/services/database'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { KnownPrice } from '../catalogue/known-price.js'
import type { CallRecord } from '../common/call-record.js'
import { costOf, costSourceOf } from './price.js'
import { callCollection, type StoredCall } from './stored-call.js'
import { addCounts, chatSumCollection, countsOf, daySumCollection, emptyChatSum, emptyDaySum, type UsageCounts } from './usage-sum.js'

/** What a call cost, in billionths of a US dollar; `undefined` if no price or usage is known. */
export const costOfCall = ({ usage, ...record }: CallRecord, catalogue: Catalogue): number | undefined =>
  usage && costOf(usage, priceOf(record, catalogue))

const priceOf = ({ price, brand, model }: Pick<CallRecord, 'price' | 'brand' | 'model'>, catalogue: Catalogue): KnownPrice => ({
  own: price,
  catalogue: catalogue.model(brand, model)?.price,
})

/** Converts a call record for the store. */
export function storedCallOf(id: string, record: CallRecord, userId: string, catalogue: Catalogue): StoredCall {
  const { attribution, usage } = record
  const cost = costOfCall(record, catalogue)
  const source = usage && costSourceOf(usage, priceOf(record, catalogue))
  return {
    id,
    user_id: userId,
    agent_id: attribution?.agentId ?? null,
    chat_id: attribution?.chatId ?? null,
    run_id: attribution?.runId ?? null,
    purpose: attribution?.purpose ?? null,
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
    price_version: source === undefined ? null : source === 'catalogue' ? catalogue.version : source,
    request_id: record.requestId ?? null,
    in_one_piece: record.inOnePiece,
  }
}

/** Stores calls and adds them to their sums. */
export async function storeCalls(transaction: Transaction, calls: readonly StoredCall[]): Promise<void> {
  const days = gather(calls, emptyDaySum)
  const chats = gather(
    calls.filter(({ chat_id }) => chat_id !== null),
    (call) => emptyChatSum(call, call.chat_id ?? ''),
  )
  for (const call of calls) transaction.insert(callCollection, call)
  for (const { empty, added } of days) {
    const before = (await transaction.get(daySumCollection, empty.id)) ?? empty
    transaction.put(daySumCollection, { ...before, ...addCounts(before, added) })
  }
  for (const { empty, added } of chats) {
    const before = (await transaction.get(chatSumCollection, empty.id)) ?? empty
    transaction.put(chatSumCollection, { ...before, ...addCounts(before, added) })
  }
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
