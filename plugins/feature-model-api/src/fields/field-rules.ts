import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { unsupportedParameterError } from '../openai-error.js'

/**
 * What happens to a member of a request: its reader passes it on (`carried`), it does not change the
 * answer (`ignored`), or only these values are accepted, because they mean what the service does
 * anyway.
 */
export type FieldRule = 'carried' | 'ignored' | { readonly accepts: readonly JsonValue[]; readonly otherwise: string }

/** The members of one object that the service knows. */
export type FieldRules = Readonly<Record<string, FieldRule>>

/** A rule for a member that only has these values here. `otherwise` says what to do. */
export const only = (accepts: readonly JsonValue[], otherwise: string): FieldRule => ({ accepts, otherwise })

/** A rule for a member that is refused. `otherwise` says what to do. */
export const never = (otherwise: string): FieldRule => only([], otherwise)

/** Hints for the vendor's cache, which do not change an answer. */
export const cacheHints: FieldRules = { prompt_cache_breakpoint: 'ignored' }

/**
 * Refuses members that would be dropped: those that are not known, and values that are not accepted.
 * `null` means an absent member. `at` is the path of the object; empty for the whole request.
 * @throws `unsupported_parameter` naming the path.
 */
export function checkFields(value: Readonly<Record<string, unknown>>, rules: FieldRules, at: string): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === 'carried' || rule === 'ignored') continue
    const param = at === '' ? name : `${at}.${name}`
    if (rule === undefined) throw unsupportedParameterError.create({ param, reason: 'is not a field that is known here. Remove it.' })
    const text = JSON.stringify(member)
    if (!rule.accepts.some((accepted) => JSON.stringify(accepted) === text))
      throw unsupportedParameterError.create({ param, reason: rule.otherwise })
  }
}

/** The member of an object as an object, checked; `undefined` if it is absent. @throws for others. */
export function checkedObject(value: unknown, rules: FieldRules, at: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw unsupportedParameterError.create({ param: at, reason: 'must be an object.' })
  checkFields(value as JsonObject, rules, at)
  return value as JsonObject
}

/** What both protocols have in common, and what a proxy of models decides itself. */
export const sharedFields: FieldRules = {
  metadata: 'ignored',
  user: 'ignored',
  safety_identifier: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_options: 'ignored',
  prompt_cache_retention: 'ignored',
  service_tier: only(['auto', 'default'], 'must be auto or default: the configuration of the model group decides the tier.'),
  moderation: never('is not supported. Remove it.'),
}
