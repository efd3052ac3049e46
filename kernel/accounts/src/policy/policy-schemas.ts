import { type JsonValue, namedObject, Type } from '@agent-service/sdk'
import type { AnyPolicy } from './policy-administration.js'

const effectSchema = Type.Union([Type.Literal('permit'), Type.Literal('forbid')])
const sourceSchema = Type.Union([Type.Literal('shipped'), Type.Literal('stored')])
const timeSchema = Type.Union([Type.String(), Type.Null()])

/** A policy in a response. */
export const policySchema = namedObject('Policy', {
  id: Type.String(),
  source: sourceSchema,
  effect: effectSchema,
  description: Type.String({ examples: ['Chats are kept.'] }),
  text: Type.String({ examples: ['forbid (principal, action == Action::"deleteChat", resource);'] }),
  enabled: Type.Boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
})

/** A place in a text. */
export const policyProblemSchema = namedObject('PolicyProblem', {
  line: Type.Integer({ description: 'From 1.' }),
  column: Type.Integer({ description: 'From 1, in characters.' }),
  message: Type.String(),
})

const entityNameSchema = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 200, examples: ['User'] }),
  id: Type.String({ minLength: 1, maxLength: 500, examples: ['01975f3e-8c00-7a3b-9d21-4f6e5b7c8d90'] }),
})
const attributesSchema = Type.Record(Type.String(), Type.Unknown(), { description: 'Attributes as defined by the schema of the policies.' })
const entitySchema = namedObject('PolicyEntity', {
  ...entityNameSchema.properties,
  attributes: Type.Optional(attributesSchema),
  parents: Type.Optional(
    Type.Array(namedObject('PolicyParent', { ...entityNameSchema.properties, attributes: Type.Optional(attributesSchema) }), {
      maxItems: 20,
      description: 'The entities that it belongs to.',
    }),
  ),
})

/** A question to explain. */
export const questionSchema = namedObject('ExplainPolicyDecision', {
  principal: entitySchema,
  action: Type.String({ minLength: 1, maxLength: 200, examples: ['createChat'] }),
  resource: entitySchema,
  context: Type.Optional(attributesSchema),
})

/** A decision with what led to it. */
export const explainedSchema = namedObject('PolicyDecision', {
  decision: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  policies: Type.Array(
    namedObject('DecidingPolicy', { id: Type.String(), source: sourceSchema, effect: effectSchema, description: Type.String() }),
  ),
  errors: Type.Array(
    namedObject('PolicyError', {
      policy_id: Type.Union([Type.String(), Type.Null()], { description: 'Null: the question itself is not valid.' }),
      message: Type.String(),
    }),
  ),
})

/** A policy as responses contain it. */
export function shownPolicy(policy: AnyPolicy): JsonValue {
  const { id, source, effect, description, text } = policy
  const kept =
    policy.source === 'stored'
      ? { enabled: policy.enabled, created_at: policy.created_at, updated_at: policy.updated_at }
      : { enabled: true, created_at: null, updated_at: null }
  return { id, source, effect, description, text, ...kept }
}
