import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelSettings, ProviderProtocol, RequiredMember } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { partsOf } from './request-parts.js'

const commonSettings: ReadonlySet<string> = new Set(['max_tokens', 'temperature'])

/** What protocols call a setting that is the same everywhere else. */
const otherNames: Readonly<Record<string, string>> = { stop: 'stop_sequences', max_completion_tokens: 'max_tokens' }

/** Settings that limit the answer beside `max_tokens`, and win over it. */
const otherLimits = ['max_completion_tokens', 'num_predict'] as const

/** The values that mean the same as no setting, wherever a protocol does not know the setting. */
const defaults: Readonly<Record<string, JsonValue>> = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }

/** The name of a caller's setting in a protocol; `undefined` if that does not know it. */
function nameIn(protocol: ProviderProtocol, name: string): string | undefined {
  const candidates = [name, otherNames[name]]
  return candidates.find(
    (candidate) => candidate !== undefined && (commonSettings.has(candidate) || Object.hasOwn(protocol.settings.properties, candidate)),
  )
}

/** The caller's settings that would change the answer and that a protocol does not know. */
export const unknownSettings = (settings: JsonObject | undefined, protocol: ProviderProtocol): readonly string[] =>
  Object.entries(settings ?? {})
    .filter(([name, value]) => nameIn(protocol, name) === undefined && defaults[name] !== value)
    .map(([name]) => name)

/**
 * The settings of a target with those of the caller over them, those that the protocol knows. The
 * caller's limit of the answer replaces every limit of the target, whatever its name; one of the
 * target's limits that wins over `max_tokens` is never raised.
 */
export function withCallSettings(own: ModelSettings, settings: JsonObject | undefined, protocol: ProviderProtocol): ModelSettings {
  const given = callSettings(settings, protocol)
  const limitName = given['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens'
  const limit = given[limitName]
  if (typeof limit !== 'number') return { ...own, ...given }
  const { max_tokens: _, max_completion_tokens: __, num_predict: ___, ...others } = own
  const lowest = otherLimits.map((name) => own[name]).filter((value): value is number => typeof value === 'number' && value >= 1)
  return { ...others, ...given, [limitName]: Math.min(limit, ...lowest) }
}

function callSettings(settings: JsonObject | undefined, protocol: ProviderProtocol): ModelSettings {
  return Object.fromEntries(
    Object.entries(settings ?? {}).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
      const known = nameIn(protocol, name)
      return known === undefined || value === undefined ? [] : [[known, value]]
    }),
  )
}

/** The paths of the native body that the members of an exact request set. */
export function callerPaths(
  request: InferenceRequest,
  protocol: ProviderProtocol,
  native: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  if (request.exact !== true) return []
  const names = [
    ...Object.keys(callSettings(request.settings, protocol)),
    ...(request.parallelToolCalls === undefined ? [] : ['parallel_tool_calls']),
    ...(request.logprobs === undefined ? [] : ['logprobs', 'top_logprobs']),
    ...(request.logitBias === undefined ? [] : ['logit_bias']),
  ]
  return names.flatMap((name) => native[name] ?? [name])
}

/** What an exact request insists on, for the adapter. */
export function requiredMembers(request: InferenceRequest, protocol: ProviderProtocol): readonly RequiredMember[] {
  if (request.exact !== true) return []
  const parts = [...partsOf(request)]
  const hasChoice = request.tools.length > 0 && request.toolChoice !== undefined && request.toolChoice !== 'auto'
  return [
    ...Object.keys(callSettings(request.settings, protocol)),
    ...(request.tools.length > 0 ? ['tools'] : []),
    ...(hasChoice ? ['tool_choice'] : []),
    ...(parts.some(({ type }) => type === 'image') ? ['images'] : []),
    ...(parts.some(({ type }) => type === 'file') ? ['files'] : []),
  ]
}
