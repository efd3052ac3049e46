import type { ModelMessage, ModelTool, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference, InferenceLimits, InferenceRequest } from '@agent-service/sdk/services/inference'
import { type Catalogue, defaultOutputLimit } from '../catalogue/catalogue.js'
import type { ModelPrice } from '../catalogue/catalogue-schema.js'
import type { CallEstimate } from '../common/call-estimate.js'
import type { Connections } from '../connections/connections.js'
import type { ConfiguredGroup } from './group-registry.js'
import type { Target } from './targets.js'

/** What an estimate is made with. */
export interface EstimateDependencies {
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly countTokens: Inference['countTokens']
  readonly limits: Pick<InferenceLimits, 'default_max_tokens'>
  /** In billionths of a US dollar; `undefined` where no price is known. */
  costOf(usage: ModelUsage, price: ModelPrice | undefined): number | undefined
}

/** A call that is about to be made. */
export interface PlannedCall {
  readonly group: ConfiguredGroup
  readonly target: Target
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly request: Pick<InferenceRequest, 'settings' | 'responseSchema'>
  /** Its answer has no tokens. */
  readonly isEmbedding?: boolean
}

/** Texts made of no words may have more tokens than are estimated. */
const safety = 4 / 3

/**
 * The most that a call may use: its input, estimated on the safe side, and the longest answer that its settings allow; without such a setting the catalogue's limit
 * of the model; where that is not known either, `inference.default_max_tokens` and 8,192 tokens at least. Only in that last case can an answer be longer than was reserved for it.
 */
export async function estimateCall(call: PlannedCall, dependencies: EstimateDependencies, signal: AbortSignal): Promise<CallEstimate> {
  const { group, target, messages, tools, request } = call
  const { catalogue, connections, countTokens, costOf } = dependencies
  const counted = await countTokens({ group: group.name, messages, tools }, { signal, atMost: Number.POSITIVE_INFINITY })
  const schemaTokens = request.responseSchema ? JSON.stringify(request.responseSchema.schema).length / 2 : 0
  const input = Math.ceil((counted.tokens + schemaTokens) * safety)
  const known = catalogue.model(connections.find(target.settings.provider)?.brandName, target.settings.model)
  const output = call.isEmbedding === true ? 0 : maxAnswerLength(call, known?.max_output_tokens, dependencies)
  const usage = { input_tokens: input, cached_input_tokens: 0, output_tokens: output, reasoning_tokens: 0 }
  // What is written to a vendor's cache may cost more than what is only read.
  const costs = [usage, { ...usage, cache_write_input_tokens: input }].map((used) => costOf(used, known?.price) ?? 0)
  return { tokens: input + output, costNano: Math.max(...costs) }
}

function maxAnswerLength({ target, request }: PlannedCall, known: number | undefined, { limits }: EstimateDependencies): number {
  const settings: Readonly<Record<string, unknown>> = { ...target.settings, ...request.settings }
  const stated = [settings['max_completion_tokens'], settings['num_predict'], settings['max_tokens']].find(isCount)
  const answers = [settings['candidate_count'], settings['n']].find(isCount) ?? 1
  return (stated ?? known ?? Math.max(limits.default_max_tokens, defaultOutputLimit)) * answers
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 1
