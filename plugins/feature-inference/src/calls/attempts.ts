import { type Logger, ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceLimits, InferenceRequest } from '@agent-service/sdk/services/inference'
import type { Telemetry } from '@agent-service/sdk/services/telemetry'
import type { CallRecord } from '../common/call-record.js'
import { type CredentialAccess, type CredentialKeeper, isAuthenticationFailure } from '../credentials/credential-keeper.js'
import type { PictureReducer } from '../pictures/picture-reducer.js'
import type { Target } from '../targets/fallback-order.js'
import type { ConfiguredGroup, GroupRegistry } from '../targets/group-registry.js'
import { type ResolvableTarget, type ResolvedTarget, resolveTarget } from '../targets/resolve-target.js'
import type { TargetDependencies } from '../targets/target-dependencies.js'
import type { AdaptersSettled } from './adapters-settled.js'
import type { Admission } from './admission.js'
import { isConnectionFailure } from './attempt-failure.js'
import type { ConnectionBreaker } from './connection-breaker.js'
import type { LostCallRecord } from './lost-calls.js'
import type { RefusedParts } from './omissions/refused-parts.js'
import type { RefusedTools } from './omissions/refused-tools.js'
import type { RateGate } from './rate-gate.js'
import { sendableRequest } from './sendable-request.js'

/** What the inference service depends on. */
export interface InferenceDependencies extends TargetDependencies {
  readonly groups: GroupRegistry
  readonly limits: InferenceLimits
  readonly clock: Clock
  readonly log: Logger
  readonly breaker: ConnectionBreaker
  readonly gate: RateGate
  readonly credentials: CredentialKeeper
  /** At least 0 and less than 1. */
  readonly random: () => number
  /** Refuses calls beyond a user's budget and starts the others in turn. */
  readonly admission: Admission
  readonly adaptersSettled: AdaptersSettled
  /** Which pictures and files which vendor has refused. */
  readonly refusedParts: RefusedParts
  /** Which target takes no tools. */
  readonly refusedTools: RefusedTools
  /** Makes pictures fit the limits of adapters. */
  readonly reducer: PictureReducer
  /** Receives the spans of calls; absent when nothing is exported. */
  readonly telemetry: Telemetry | undefined
  readonly countTokens: Inference['countTokens']
  /** Called once for each model call, when it has ended. Must not throw. */
  onCall(record: CallRecord): void
  /**
   * Called with lost calls. Resolves once they are recorded; a call that is recorded already is
   * ignored. Must not reject.
   */
  onLostCalls(records: readonly LostCallRecord[]): Promise<void>
}

/**
 * The target ready to be called, or why it cannot be. @throws errors that are not service errors,
 * and the signal's reason.
 */
export async function tryToResolve(
  what: ResolvableTarget,
  dependencies: InferenceDependencies,
  signal: AbortSignal,
): Promise<(ResolvedTarget & { readonly access?: CredentialAccess }) | ServiceError> {
  const connection = dependencies.connections.find(what.target.settings.provider)
  const options = { reducer: dependencies.reducer, exact: what.request.exact === true, userId: what.request.attribution?.userId, signal }
  try {
    if (connection?.settings.credential_id === undefined || !connection.settings.enabled)
      return await sendableRequest(resolveTarget(what, dependencies), options)
    const access = await dependencies.credentials.open(connection, { signal })
    return await sendableRequest({ ...resolveTarget(what, dependencies, access), access }, options)
  } catch (error) {
    if (ServiceError.isInstance(error)) return error
    throw error
  }
}

/** True when the vendor refused the tokens of an account and new ones have replaced them. */
export async function renewAccess(
  { access, request }: ResolvedTarget & { readonly access?: CredentialAccess },
  failure: ServiceError,
  { connections, credentials }: InferenceDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = access && isAuthenticationFailure(failure) ? connections.find(request.connection.handle) : undefined
  return access !== undefined && connection !== undefined && credentials.renew(connection, access, { signal })
}

/** The members of a call record that are known when an attempt starts. */
export const callOf = (
  request: Pick<InferenceRequest, 'attribution'>,
  group: ConfiguredGroup,
  target: Target,
  retries: number,
  resolved: ResolvedTarget,
) => ({
  attribution: request.attribution,
  group: group.name,
  fallback: target.index,
  retries,
  connection: resolved.request.connection.handle,
  brand: resolved.request.connection.brand,
  model: resolved.request.model,
  protocol: resolved.request.protocol,
  price: target.settings.price,
})

/**
 * Updates breaker and gate with what a failure reveals about the connection and the vendor's
 * limits.
 */
export function recordFailure(
  failure: ServiceError,
  {
    provider,
    key,
    breaker,
    gate,
  }: { readonly provider: string; readonly key: string; readonly breaker: ConnectionBreaker; readonly gate: RateGate },
): void {
  if (isConnectionFailure(failure)) breaker.recordFailure(provider)
  else breaker.recordSuccess(provider)
  if (!providerError.isInstance(failure) || failure.details['failure'] !== 'rate_limited') return
  const after = failure.details['retryAfterMs']
  if (typeof after === 'number') gate.block(key, after)
}
