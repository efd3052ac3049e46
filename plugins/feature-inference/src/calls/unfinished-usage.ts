import type { ModelMessage, ModelTool, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { CallRecord } from '../common/call-record.js'
import { estimateTokens } from '../tokens/estimate-tokens.js'

/** A call that has ended without the vendor's word on what it used. */
export interface UnfinishedCall {
  readonly record: CallRecord
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** What of the answer came. */
  readonly shown: string
}

/**
 * The record of a call that did not come to its end, with an estimate of what it used: its prompt, and what came of the answer. A vendor bills what a caller turns
 * away from, so turning away is no way around a budget. Where nothing came yet, nothing is counted.
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
