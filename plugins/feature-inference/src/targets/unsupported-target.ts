import type { ServiceError } from '@agent-service/sdk'
import type { ProviderAdapter, ProviderProtocol } from '@agent-service/sdk/contracts/provider-adapter'
import { type InferenceRequest, requestUnsupportedError } from '@agent-service/sdk/services/inference'
import { acquireAdapter } from './acquire-adapter.js'
import { chooseProtocol } from './choose-protocol.js'
import type { Target } from './fallback-order.js'
import type { ConfiguredGroup } from './group-registry.js'
import { type UnsupportedPart, unsupportedBy } from './support.js'
import type { TargetDependencies } from './target-dependencies.js'

interface AskedTarget {
  readonly group: ConfiguredGroup
  readonly target: Target
  readonly request: InferenceRequest
}

/** The error for a part of a request; it names another protocol of the adapter that carries all. */
export function unsupportedError(
  { param, what }: UnsupportedPart,
  { group, target, request }: AskedTarget,
  { adapter, protocol }: { readonly adapter: ProviderAdapter; readonly protocol: ProviderProtocol },
): ServiceError {
  const other = adapter.protocols.find((candidate) => candidate !== protocol && !unsupportedBy(adapter, candidate, request))
  const advice = other ? `Set “api: ${other.id}” in models.${group.name}, leave it out` : 'Leave it out'
  const reason = `the protocol “${protocol.id}” of ${target.settings.model} does not support ${what}. ${advice}, or use another model group.`
  return requestUnsupportedError.create({ group: group.name, param, reason }, { problems: [{ path: param, message: reason }] })
}

/**
 * Why a target cannot carry a request, found without a call; `undefined` if it can, or if it cannot
 * be called at all.
 */
export function unsupportedTarget(
  asked: AskedTarget,
  { catalogue, connections, contributions }: Pick<TargetDependencies, 'catalogue' | 'connections' | 'contributions'>,
): ServiceError | undefined {
  const { group, target, request } = asked
  const connection = connections.find(target.settings.provider)
  const lease = connection && acquireAdapter(connection, contributions)
  if (!connection || !lease) return undefined
  try {
    const choice = chooseProtocol({ group, target }, connection, lease.value, { catalogue })
    if ('refused' in choice) return undefined
    const unsupported = unsupportedBy(lease.value, choice.protocol, request)
    return unsupported && unsupportedError(unsupported, asked, { adapter: lease.value, protocol: choice.protocol })
  } finally {
    lease.release()
  }
}
