import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { unsupportedParameterError } from '../openai-error.js'
import type { IgnoredFields } from './ignored-fields.js'

/**
 * What happens to a member of a request: its reader passes it on (`carried`); it does not change the answer and is named
 * in a header (`ignored`); or only these values are accepted, because they mean what the service does anyway. Another
 * value is then refused, unless it is among those that are ignored, or nothing is said about it.
 */
export type FieldRule =
  | 'carried'
  | 'ignored'
  | { readonly accepts: readonly JsonValue[]; readonly ignores?: readonly JsonValue[]; readonly otherwise?: string }

/** The members of one object that the service knows. The rule of `*` is that of all others, which are refused by default. */
export type FieldRules = Readonly<Record<string, FieldRule>>

/** A rule for a member that only has these values here, or those that are ignored. `otherwise` says what to do. */
export const only = (accepts: readonly JsonValue[], otherwise: string, ignores: readonly JsonValue[] = []): FieldRule => ({
  accepts,
  ignores,
  otherwise,
})

/** A rule for a member that is refused. `otherwise` says what to do. */
export const never = (otherwise: string): FieldRule => only([], otherwise)

/** A rule for a member that asks for something which the service does anyway with these values, and never with others. */
export const hint = (...accepts: readonly JsonValue[]): FieldRule => ({ accepts })

/** What asks for nothing, whatever the member means. */
const empty: readonly JsonValue[] = [[], {}, '']

const unread = only(empty, 'is not read here and would be lost. Send it as a part of content.')

/** Members beside those of a protocol that some servers read content from. */
export const otherContent: FieldRules = Object.fromEntries(
  [
    ...['image', 'images', 'image_url', 'audio', 'input_audio', 'video', 'videos', 'video_url'],
    ...['file', 'files', 'file_data', 'file_url', 'attachments', 'documents'],
  ].map((name) => [name, unread]),
)

/**
 * Checks the members of an object: those that have no effect are noted, and those that would be lost are refused, with
 * values that are not accepted. `null` means an absent member, and an unknown one that is empty has no effect. `at` is the path of the object; empty for the whole
 * request.
 * @throws `unsupported_parameter` naming the path.
 */
export function checkFields(value: Readonly<Record<string, unknown>>, rules: FieldRules, at: string, ignored: IgnoredFields): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue
    const rule = Object.hasOwn(rules, name) ? rules[name] : rules['*']
    if (rule === 'carried') continue
    const param = at === '' ? name : `${at}.${name}`
    if (rule === undefined && !isAccepted(member, empty)) throw unsupportedParameterError.create({ param, reason: unknown })
    if (rule === undefined) {
      ignored.add(param)
      continue
    }
    if (rule !== 'ignored' && isAccepted(member, rule.accepts)) continue
    if (rule !== 'ignored' && rule.otherwise !== undefined && !isAccepted(member, rule.ignores ?? []))
      throw unsupportedParameterError.create({ param, reason: rule.otherwise })
    ignored.add(param)
  }
}

const unknown = 'is not a field that is known here. Remove it, or set it in extra_params of the model group if its vendor knows it.'

const isAccepted = (member: unknown, accepts: readonly JsonValue[]): boolean => accepts.some((accepted) => isSame(member, accepted))

/** Whether a member is an accepted value: a plain one, a list, or `{}`. The member may be as large as the request, so little of it is read. */
function isSame(member: unknown, accepted: JsonValue): boolean {
  if (typeof accepted !== 'object' || accepted === null) return member === accepted
  if (Array.isArray(accepted))
    return (
      Array.isArray(member) &&
      member.length === accepted.length &&
      accepted.every((each, index) => isSame(member[index], each as JsonValue))
    )
  return typeof member === 'object' && member !== null && !Array.isArray(member) && isEmptyObject(member)
}

function isEmptyObject(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false
  return true
}

/** The member of an object as an object, checked; `undefined` if it is absent. @throws for others. */
export function checkedObject(value: unknown, rules: FieldRules, at: string, ignored: IgnoredFields): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw unsupportedParameterError.create({ param: at, reason: 'must be an object.' })
  checkFields(value as JsonObject, rules, at, ignored)
  return value as JsonObject
}

/** Hints and bookkeeping of current clients and gateways, in requests of both protocols. */
const clientHints: FieldRules = Object.fromEntries(
  [
    ...[
      'client_metadata',
      'session_id',
      'chat_id',
      'conversation_id',
      'message_id',
      'request_id',
      'id',
      'title',
      'tags',
      'trace',
      'trace_id',
    ],
    ...['cache_control', 'cache_prompt', 'caching', 'keep_alive', 'usage', 'include_reasoning', 'transforms', 'route'],
    ...['extra_headers', 'timeout', 'num_retries', 'max_retries', 'verbosity', 'prediction', 'web_search_options', 'max_tool_calls'],
  ].map((name) => [name, 'ignored' as const]),
)

/** What both protocols have in common, and what a proxy of models decides itself. */
export const sharedFields: FieldRules = {
  ...clientHints,
  metadata: 'ignored',
  user: 'ignored',
  safety_identifier: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_options: 'ignored',
  prompt_cache_retention: 'ignored',
  service_tier: hint('auto', 'default'),
  store: hint(false),
  moderation: never('is not supported. Remove it.'),
}
