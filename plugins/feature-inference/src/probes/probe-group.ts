import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { CredentialAccess, CredentialKeeper } from '../credentials/credential-keeper.js'
import { targetsOf } from '../targets/fallback-order.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'
import { resolveTarget } from '../targets/resolve-target.js'
import type { TargetDependencies } from '../targets/target-dependencies.js'
import { callOnce, probeAnswerTokens, probeMessages, probeTimeouts, probeTools } from './call-once.js'
import { type ProbeFailure, probeFailureOf } from './probe-failure.js'
import { takesTools } from './takes-tools.js'

/** The result of testing one model of a group. */
export interface TargetProbe {
  readonly provider: string
  readonly model: string
  /** 0 for the group's own model, else the number of the fallback. */
  readonly fallback: number
  readonly took_ms: number
  /** Absent if it answered. */
  readonly failure?: ProbeFailure
  /** Whether it takes tools. Absent: not known. */
  readonly tools?: boolean
}

/**
 * Calls every model of a group once, all at a time, with the settings of the group: a fallback is
 * tested although the models before it answer. No call is retried. @throws the signal's reason.
 */
export async function probeGroup(
  group: ConfiguredGroup,
  dependencies: Omit<TargetDependencies, 'timeouts' | 'onProtocolReplaced'> & { readonly keeper: CredentialKeeper },
  signal: AbortSignal,
): Promise<readonly TargetProbe[]> {
  const { keeper, connections } = dependencies
  const means: TargetDependencies = { ...dependencies, timeouts: probeTimeouts, onProtocolReplaced: () => undefined }
  const request = { group: group.name, messages: probeMessages, tools: [], settings: { max_tokens: probeAnswerTokens } }
  return await Promise.all(
    targetsOf(group, connections).map(async (target): Promise<TargetProbe> => {
      const { provider, model } = target.settings
      const startedAt = performance.now()
      const connection = connections.find(provider)
      let access: CredentialAccess | undefined
      let failure: ProbeFailure | undefined
      let tools: boolean | undefined
      try {
        if (connection?.settings.credential_id !== undefined && connection.settings.enabled)
          access = await keeper.open(connection, { signal })
        const call = async (tools: ModelRequest['tools']) => {
          const resolved = resolveTarget({ group, target, request: { ...request, tools } }, means, access)
          return { error: await callOnce(resolved.lease, () => resolved.request, signal), key: resolved.request.connection.apiKey }
        }
        const { error, key } = await call([])
        failure = error === undefined ? undefined : probeFailureOf(error, key)
        const known = dependencies.catalogue.model(connection?.brand?.id, model)
        if (error === undefined) tools = await takesTools(known && { known }, async () => (await call(probeTools)).error)
      } catch (error) {
        signal.throwIfAborted()
        failure = probeFailureOf(error, access?.secret)
      }
      const took = Math.round(performance.now() - startedAt)
      return { provider, model, fallback: target.index, took_ms: took, ...(failure && { failure }), ...(tools !== undefined && { tools }) }
    }),
  )
}
