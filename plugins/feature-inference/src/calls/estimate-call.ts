import type { ModelMessage, ModelTool, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference, InferenceLimits, InferenceRequest } from '@agent-service/sdk/services/inference'
import { type Catalogue, defaultMaxOutputTokens } from '../catalogue/catalogue.js'
import type { KnownPrice } from '../catalogue/known-price.js'
import type { CallEstimate } from '../common/call-estimate.js'
import type { Connections } from '../connections/connections.js'
import type { Target } from '../targets/fallback-order.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'

/** What an estimate depends on. */
export interface EstimateDependencies {
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly countTokens: Inference['countTokens']
  readonly limits: Pick<InferenceLimits, 'default_max_tokens'>
  /** In billionths of a US dollar; `undefined` if no price is known. */
  costOf(usage: ModelUsage, price: KnownPrice): number | undefined
}

/** A call that is about to start. */
export interface PlannedCall {
  readonly group: ConfiguredGroup
  readonly target: Target
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly request: Pick<InferenceRequest, 'settings' | 'responseSchema'>
  /** An embedding: its answer has no tokens. */
  readonly isEmbedding?: boolean
}

/** Text without words may have more tokens than estimated. */
const safetyFactor = 4 / 3

/**
 * The most that a call may use: its input, estimated on the safe side, and the longest answer that
 * its settings allow. Without such a setting it is the model's limit in the catalogue; if that is
 * unknown too, `inference.default_max_tokens`, at least 8,192 tokens. Only then can an answer
 * exceed its reservation.
 */
export async function estimateCall(call: PlannedCall, dependencies: EstimateDependencies, signal: AbortSignal): Promise<CallEstimate> {
  const { group, target, messages, tools, request } = call
  const { catalogue, connections, countTokens, costOf } = dependencies
  const counted = await countTokens({ group: group.name, messages, tools }, { signal, atMost: Number.POSITIVE_INFINITY })
  const schemaTokens = request.responseSchema ? JSON.stringify(request.responseSchema.schema).length / 2 : 0
  const input = Math.ceil((counted.tokens + schemaTokens) * safetyFactor)
  const known = catalogue.model(connections.find(target.settings.provider)?.brandName, target.settings.model)
  const output = call.isEmbedding === true ? 0 : maxAnswerTokens(call, known?.max_output_tokens, dependencies)
  const usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: output, reasoning_tokens: 0 }
  // Writing to a vendor's cache may cost more than reading.
  const costs = [usage, { ...usage, cache_write_input_tokens: input }].map(
    (used) => costOf(used, { own: target.settings.price, catalogue: known?.price }) ?? 0,
  )
  return { tokens: input + output, costNano: Math.max(...costs) }
}

function maxAnswerTokens({ target, request }: PlannedCall, known: number | undefined, { limits }: EstimateDependencies): number {
  const settings: Readonly<Record<string, unknown>> = { ...target.settings, ...request.settings }
  const stated = [settings['max_completion_tokens'], settings['num_predict'], settings['max_tokens']].find(isCount)
  const answers = [settings['candidate_count'], settings['n']].find(isCount) ?? 1
  return (stated ?? known ?? Math.max(limits.default_max_tokens, defaultMaxOutputTokens)) * answers
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 1
