import type { JsonObject } from '@agent-service/sdk'
import type { EngineQuestion } from '@agent-service/sdk/contracts/policy-engine'

/**
 * The key of a decision: equal keys have equal decisions. Two users with the same attributes have
 * different keys only if the policies or the question may depend on user ids.
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

/**
 * Whether it contains only texts, numbers and booleans, and lists of these: any object may refer to
 * an entity.
 */
const isFlat = (object: JsonObject): boolean =>
  Object.values(object).every((value) =>
    Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object',
  )
