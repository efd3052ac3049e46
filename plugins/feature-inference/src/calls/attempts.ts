import { type Logger, ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceLimits, InferenceRequest } from '@agent-service/sdk/services/inference'
import type { Telemetry } from '@agent-service/sdk/services/telemetry'
import type { CallRecord } from '../common/call-record.js'
import type { CredentialAccess, CredentialKeeper } from '../credentials/credential-keeper.js'
import { isAuthentication } from '../credentials/is-authentication.js'
import type { Admission } from './admission.js'
import { blamesConnection } from './attempt-failure.js'
import type { ConnectionBreaker } from './connection-breaker.js'
import type { ConfiguredGroup, GroupRegistry } from './group-registry.js'
import type { LostCallRecord } from './lost-calls.js'
import type { RateGate } from './rate-gate.js'
import { type ResolvedTarget, resolveTarget, type TargetDependencies } from './resolve-target.js'
import type { Target } from './targets.js'

/** What the service is made of. */
export interface InferenceDependencies extends TargetDependencies {
  readonly groups: GroupRegistry
  readonly limits: InferenceLimits
  readonly clock: Clock
  readonly log: Logger
  readonly breaker: ConnectionBreaker
  readonly gate: RateGate
  readonly credentials: CredentialKeeper
  /** 0 up to, not including, 1. */
  readonly random: () => number
  /** Refuses what a user may not spend, and lets calls begin in their turn. */
  readonly admission: Admission
  /** Who is told how long what took; absent where nobody is. */
  readonly telemetry: Telemetry | undefined
  readonly countTokens: Inference['countTokens']
  /** Called once for each call of a model, when it has ended. Must not throw. */
  onCall(record: CallRecord): void
  /** Called with calls that were lost. Resolves once they are accounted, each for the first time or not at all. Must not reject. */
  onLostCalls(records: readonly LostCallRecord[]): Promise<void>
}

/** The target ready to be called, or why it cannot be. @throws what is no error of the project, and the reason of the signal. */
export async function tryToResolve(
  what: { readonly group: ConfiguredGroup; readonly target: Target; readonly request: InferenceRequest },
  dependencies: InferenceDependencies,
  signal: AbortSignal,
): Promise<(ResolvedTarget & { readonly access?: CredentialAccess }) | ServiceError> {
  const connection = dependencies.connections.find(what.target.settings.provider)
  try {
    if (connection?.settings.credential_id === undefined || !connection.settings.enabled) return resolveTarget(what, dependencies)
    const access = await dependencies.credentials.open(connection, { signal })
    return { ...resolveTarget(what, dependencies, access), access }
  } catch (error) {
    if (ServiceError.isInstance(error)) return error
    throw error
  }
}

/** True when the vendor refused the tokens of an account and there are others now. */
export async function renewAccess(
  { access, request }: ResolvedTarget & { readonly access?: CredentialAccess },
  failure: ServiceError,
  { connections, credentials }: InferenceDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = access && isAuthentication(failure) ? connections.find(request.connection.handle) : undefined
  return access !== undefined && connection !== undefined && credentials.renew(connection, access, { signal })
}

/** What is recorded of an attempt from its beginning. */
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
})

/** Lets later calls know what a failure says of the connection and of the vendor's limits. */
export function noteFailure(
  failure: ServiceError,
  {
    provider,
    key,
    breaker,
    gate,
  }: { readonly provider: string; readonly key: string; readonly breaker: ConnectionBreaker; readonly gate: RateGate },
): void {
  if (blamesConnection(failure)) breaker.failed(provider)
  else breaker.worked(provider)
  if (!providerError.isInstance(failure) || failure.details['failure'] !== 'rate_limited') return
  const after = failure.details['retryAfterMs']
  if (typeof after === 'number') gate.refused(key, after)
}
