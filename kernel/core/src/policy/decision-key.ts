import type { JsonObject } from '@agent-service/sdk'
import type { EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'

/**
 * The key of a decision: equal keys have equal decisions. Two users with the same attributes are told apart only where the
 * policies or the question could.
 */
export function decisionKey(question: EngineQuestion, dependsOnUserIds: boolean): string {
  const { principal, resource, context, entities } = question
  const [who, what, ...others] = entities
  const alone =
    principal.type === 'User' &&
    resource.type !== 'User' &&
    others.length === 0 &&
    who?.parents.length === 0 &&
    what?.parents.length === 0 &&
    isFlat(what.attributes) &&
    isFlat(context)
  if (dependsOnUserIds || !alone) return JSON.stringify(question)
  return JSON.stringify({ ...question, principal: 'User', entities: [who.attributes, what] })
}

/** Holds nothing but texts, numbers and booleans, and lists of these: any object may stand for an entity. */
const isFlat = (object: JsonObject): boolean =>
  Object.values(object).every((value) =>
    Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object',
  )
