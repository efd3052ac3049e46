import type { JsonObject } from '@agent-service/sdk'
import {
  type ModelRequest,
  type ModelSettings,
  type ProviderAdapter,
  type ProviderProtocol,
  supportOf,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { InlineReasoning } from '@agent-service/sdk/model-answers'
import type { ContributionLease } from '@agent-service/sdk/services/contributions'
import { type InferenceRequest, modelGroupUnusableError } from '@agent-service/sdk/services/inference'
import { type Catalogue, defaultMaxOutputTokens } from '../catalogue/catalogue.js'
import { touchedAt, withoutPaths } from '../catalogue/native-path.js'
import { commonGroupMembers } from '../configuration/models-section.js'
import type { Connection } from '../connections/connections.js'
import { resolveConnection } from '../connections/resolve-connection.js'
import type { CredentialAccess } from '../credentials/credential-keeper.js'
import { protocolsOfAccount } from '../credentials/protocols-of-account.js'
import { acquireAdapter } from './acquire-adapter.js'
import { callerPaths, requiredMembers, withCallSettings } from './call-settings.js'
import { withCarriedParts } from './carried-parts.js'
import { chooseProtocol } from './choose-protocol.js'
import type { Target } from './fallback-order.js'
import type { ConfiguredGroup } from './group-registry.js'
import { inlineReasoningOf } from './inline-reasoning.js'
import { withReadableFiles } from './readable-files.js'
import { unsupportedBy } from './support.js'
import type { TargetDependencies } from './target-dependencies.js'
import { unsupportedError } from './unsupported-target.js'

/** An adapter held for one call, and the request to pass to it. Release the lease. */
export interface ResolvedTarget {
  readonly lease: ContributionLease<ProviderAdapter>
  readonly request: ModelRequest
  /** Where reasoning is looked for in the texts of its answer. */
  readonly inlineReasoning: InlineReasoning
}

/** What is to be resolved. */
export interface ResolvableTarget {
  readonly group: ConfiguredGroup
  readonly target: Target
  readonly request: InferenceRequest
  /**
   * No other model carries the whole request: unless the caller wants it exactly, pictures and files
   * that this one cannot be sent are left out. Default false.
   */
  readonly isLastResort?: boolean
}

/**
 * Resolves everything that one attempt needs: connection, adapter, protocol, key. `access` is the
 * content of the connection's managed credential. @throws `model_group_unusable` with what to
 * change, `unsupported_by_model`, `credential_missing`.
 */
export function resolveTarget(
  { group, target, request: asked, isLastResort = false }: ResolvableTarget,
  dependencies: TargetDependencies,
  access?: CredentialAccess,
): ResolvedTarget {
  const refuse = (reason: string): Error => modelGroupUnusableError.create({ group: group.name, reason })
  const connection = usableConnection(target, dependencies, refuse)
  const lease = acquireAdapter(connection, dependencies.contributions)
  if (!lease)
    throw refuse(`no active plugin contributes the adapter “${connection.adapter ?? ''}” of the connection “${connection.handle}”.`)
  try {
    const choice = chooseProtocol({ group, target }, connection, lease.value, {
      catalogue: dependencies.catalogue,
      ofAccount: protocolsOfAccount(connection, access),
    })
    if ('refused' in choice) throw refuse(choice.refused)
    const { protocol } = choice
    if (choice.insteadOf !== undefined)
      dependencies.onProtocolReplaced({ connection: connection.handle, wanted: choice.insteadOf, used: protocol.id })
    const supports = supportOf(lease.value, protocol.id)
    const request = isLastResort && asked.exact !== true ? { ...asked, messages: withCarriedParts(asked.messages, supports) } : asked
    const unsupported = unsupportedBy(lease.value, protocol, request)
    if (unsupported) throw unsupportedError(unsupported, { group, target, request }, { adapter: lease.value, protocol })
    const extraParams = target.settings.extra_params as JsonObject
    const owned = ownedPaths(protocol, dependencies.catalogue, request.responseSchema !== undefined || request.jsonObject === true)
    const touched = owned.filter((path) => touchedAt(extraParams, path) !== undefined)
    if (touched.length > 0) throw refuse(`extra_params sets ${touched.join(', ')}, which the service sets itself. Remove it.`)
    const resolved = resolveConnection(connection, dependencies.secrets, access)
    return {
      lease,
      inlineReasoning: inlineReasoningOf(target.settings, connection, dependencies.catalogue),
      request: {
        connection: resolved,
        protocol: protocol.id,
        model: target.settings.model,
        messages: withReadableFiles(request.messages, {
          files: supports.files,
          input: inputOf(dependencies.catalogue.model(connection.brand?.id, target.settings.model)),
        }),
        tools: request.tools,
        ...(request.toolChoice !== undefined && { toolChoice: request.toolChoice }),
        settings: withOutputLimit(
          withCallSettings(settingsOf(target, protocol, refuse), request.settings, protocol),
          { target, protocol, connection },
          dependencies.catalogue,
        ),
        extraParams: withoutPaths(extraParams, callerPaths(request, protocol, dependencies.catalogue.protocol(protocol.id)?.native ?? {})),
        ...(group.settings.context_window !== undefined && { contextWindow: group.settings.context_window }),
        ...(request.responseSchema !== undefined && { responseSchema: request.responseSchema }),
        ...(request.jsonObject === true && { jsonObject: true }),
        ...(request.parallelToolCalls !== undefined && { parallelToolCalls: request.parallelToolCalls }),
        ...(request.logprobs !== undefined && { logprobs: request.logprobs }),
        ...(request.logitBias !== undefined && { logitBias: request.logitBias }),
        ...(request.exact === true && { required: requiredMembers(request, protocol) }),
        stream: (request.stream ?? true) && lease.value.supports.streaming,
        timeouts: dependencies.timeouts,
      },
    }
  } catch (error) {
    lease.release()
    throw error
  }
}

/** What a known model takes beside text. */
const inputOf = (model: { readonly input?: readonly string[] } | undefined): readonly string[] | undefined => model && (model.input ?? [])

type Refuse = (reason: string) => Error

function usableConnection({ settings }: Target, { connections }: TargetDependencies, refuse: Refuse): Connection {
  const connection = connections.find(settings.provider)
  if (!connection)
    throw refuse(`the connection “${settings.provider}” does not exist. Known connections: ${connections.handles.join(', ') || 'none'}.`)
  if (!connection.settings.enabled)
    throw refuse(`the connection “${connection.handle}” is disabled. Set providers.${connection.handle}.enabled to true.`)
  if (connection.refused !== undefined) throw refuse(`its brand “${connection.brandName}” cannot be used: ${connection.refused}.`)
  if (connection.adapter === undefined)
    throw refuse(`the connection “${connection.handle}” names no adapter. Set providers.${connection.handle}.adapter.`)
  return connection
}

/**
 * The paths that `extra_params` may not set, from the catalogue and the adapter; more of them with
 * a response schema.
 */
function ownedPaths(protocol: ProviderProtocol, catalogue: Catalogue, structured: boolean): readonly string[] {
  const known = catalogue.protocol(protocol.id)
  const always = [...(known?.protected ?? []), ...protocol.protectedPaths]
  const whenStructured = [...(known?.protected_structured ?? []), ...protocol.protectedStructuredPaths]
  return [...new Set(structured ? [...always, ...whenStructured] : always)]
}

/**
 * The typed settings of a target. @throws the error of `refuse` for one that the protocol does not
 * know.
 */
function settingsOf(target: Target, protocol: ProviderProtocol, refuse: Refuse): ModelSettings {
  const { max_tokens: maxTokens, temperature } = target.settings
  const typed = Object.entries(target.settings as unknown as JsonObject).filter(([name]) => !commonGroupMembers.has(name))
  const unknown = typed.map(([name]) => name).filter((name) => !Object.hasOwn(protocol.settings.properties, name))
  if (unknown.length > 0) throw refuse(`the protocol “${protocol.id}” does not know ${unknown.join(', ')}.`)
  return {
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...Object.fromEntries(typed),
  }
}

/**
 * Adds the output limit when the protocol requires one and none is set: the model's limit in the
 * catalogue, else 8,192 tokens.
 */
function withOutputLimit(
  settings: ModelSettings,
  of: { readonly target: Target; readonly protocol: ProviderProtocol; readonly connection: Connection },
  catalogue: Catalogue,
): ModelSettings {
  if (settings.max_tokens !== undefined || catalogue.protocol(of.protocol.id)?.output_limit_required !== true) return settings
  const known = catalogue.model(of.connection.brand?.id, of.target.settings.model)?.max_output_tokens
  return { max_tokens: known ?? defaultMaxOutputTokens, ...settings }
}
