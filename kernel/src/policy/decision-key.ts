import type { JsonObject } from '@agent-service/sdk'
import type { EngineRequest, PolicyText } from './engine/engine-jobs.js'

/**
 * Whether a policy may name a single user. Certain where it says no: an entity is written as its type and `::`, so that “User” before anything but
 * what ends `is User` counts as one.
 */
export const mayNameUsers = (policies: readonly PolicyText[]): boolean => policies.some(({ text }) => /\bUser\b(?!\s*[,);&|}])/.test(text))

/**
 * The key of a decision: equal keys have equal decisions. Two users of one role are told apart only where policies or the question could: Cedar sees
 * an id only by comparing it with another entity.
 */
export function decisionKey(request: EngineRequest, policiesNameUsers: boolean): string {
  const { principal, resource, context, entities } = request
  const [who, what, ...others] = entities
  const alone =
    principal.type === 'User' &&
    resource.type !== 'User' &&
    others.length === 0 &&
    who?.parents.length === 0 &&
    what?.parents.length === 0 &&
    isFlat(what.attributes) &&
    isFlat(context)
  if (policiesNameUsers || !alone) return JSON.stringify(request)
  return JSON.stringify({ ...request, principal: 'User', entities: [who.attributes, what] })
}

/** Holds nothing but texts, numbers and booleans, and lists of these: any object may stand for an entity. */
const isFlat = (object: JsonObject): boolean =>
  Object.values(object).every((value) =>
    Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object',
  )
