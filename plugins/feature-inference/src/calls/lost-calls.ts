import type { Inference, InferenceAttribution, InferenceRequest } from '@agent-service/sdk/services/inference'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CallRecord } from '../common/call-record.js'
import type { Connections } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import type { Target } from '../targets/fallback-order.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'

/**
 * What is assumed of a lost call: it sent the present request to the group's own model and received
 * nothing.
 */
export interface LostCallRecord extends CallRecord {
  readonly attribution: InferenceAttribution
  readonly outcome: 'lost'
  readonly usage: NonNullable<CallRecord['usage']>
  /** The id that the caller gave it. */
  readonly id: string
  /** When the next call for the same answer started, or now, in milliseconds since 1970. */
  readonly replacedAt: number
}

/**
 * Records of the calls that a request reports as lost, with estimated usage; none for a request
 * without a user.
 */
export async function lostCallRecords(
  request: InferenceRequest,
  { group, target }: { readonly group: ConfiguredGroup; readonly target: Target },
  dependencies: {
    readonly catalogue: Catalogue
    readonly connections: Connections
    readonly countTokens: Inference['countTokens']
    /** In milliseconds since 1970. */
    readonly now: number
    readonly signal: AbortSignal
  },
): Promise<readonly LostCallRecord[]> {
  const { attribution, lostCalls = [], messages, tools } = request
  if (!attribution || lostCalls.length === 0) return []
  const { catalogue, connections, countTokens, now, signal } = dependencies
  // Any estimate is good enough.
  const { tokens } = await countTokens({ group: group.name, messages, tools }, { signal, atMost: Number.POSITIVE_INFINITY })
  const { provider, model, api } = target.settings
  const connection = connections.find(provider)
  const written = api ?? (connection && defaultProtocol(connection, model, catalogue)) ?? ''
  return lostCalls.map(({ id, requestedAt }, position) => ({
    id,
    attribution,
    group: group.name,
    fallback: target.index,
    retries: 0,
    connection: connection?.handle ?? provider,
    brand: connection?.brandName ?? provider,
    model,
    protocol: catalogue.protocol(written)?.id ?? written,
    price: target.settings.price,
    startedAt: requestedAt,
    replacedAt: lostCalls[position + 1]?.requestedAt ?? now,
    durationMs: 0,
    firstTokenMs: undefined,
    outcome: 'lost',
    failure: undefined,
    stopReason: undefined,
    responseModel: undefined,
    usage: { input_tokens: tokens, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: true },
    requestId: undefined,
    inOnePiece: false,
  }))
}
