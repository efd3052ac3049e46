import type { ModelMessage, ModelTool, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { CallRecord } from '../common/call-record.js'
import { estimateTokens } from '../tokens/estimate-tokens.js'

/** A call that ended before the vendor reported its usage. */
export interface UnfinishedCall {
  readonly record: CallRecord
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The part of the answer that arrived. */
  readonly shown: string
}

/**
 * The record of an unfinished call with its estimated usage: its prompt and the part of the answer
 * that arrived. Vendors bill abandoned calls, so abandoning a call does not bypass a budget. A call
 * without any output counts as 0.
 */
export async function withUsageSoFar(call: UnfinishedCall, countTokens: Inference['countTokens']): Promise<CallRecord> {
  const { record, messages, tools, shown } = call
  if (record.outcome === 'completed' || shown === '') return record
  const { tokens } = await countTokens({ group: record.group, messages, tools }, { atMost: Number.POSITIVE_INFINITY })
  const usage: ModelUsage = {
    ...{ input_tokens: tokens, cached_input_tokens: 0, output_tokens: estimateTokens(shown), reasoning_tokens: 0 },
    estimated: true,
  }
  return { ...record, usage }
}
