import { type JsonValue, Type } from '@agent-service/sdk'
import type { AnyPolicy } from './policy-administration.js'

const effectSchema = Type.Union([Type.Literal('permit'), Type.Literal('forbid')])
const sourceSchema = Type.Union([Type.Literal('shipped'), Type.Literal('stored')])
const timeSchema = Type.Union([Type.String(), Type.Null()])

/** A policy in a response. */
export const policySchema = Type.Object({
  id: Type.String(),
  source: sourceSchema,
  effect: effectSchema,
  description: Type.String(),
  text: Type.String(),
  enabled: Type.Boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
})

/** A place in a text. */
export const policyProblemSchema = Type.Object({
  line: Type.Integer({ description: 'From 1.' }),
  column: Type.Integer({ description: 'From 1, in characters.' }),
  message: Type.String(),
})

const entityNameSchema = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 200 }),
  id: Type.String({ minLength: 1, maxLength: 500 }),
})
const attributesSchema = Type.Record(Type.String(), Type.Unknown(), { description: 'Attributes as defined by the schema of the policies.' })
const entitySchema = Type.Object({
  ...entityNameSchema.properties,
  attributes: Type.Optional(attributesSchema),
  parents: Type.Optional(
    Type.Array(Type.Object({ ...entityNameSchema.properties, attributes: Type.Optional(attributesSchema) }), {
      maxItems: 20,
      description: 'The entities that it belongs to.',
    }),
  ),
})

/** A question to explain. */
export const questionSchema = Type.Object({
  principal: entitySchema,
  action: Type.String({ minLength: 1, maxLength: 200 }),
  resource: entitySchema,
  context: Type.Optional(attributesSchema),
})

/** A decision with what led to it. */
export const explainedSchema = Type.Object({
  decision: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  policies: Type.Array(Type.Object({ id: Type.String(), source: sourceSchema, effect: effectSchema, description: Type.String() })),
  errors: Type.Array(
    Type.Object({
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
