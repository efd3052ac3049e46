import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject } from '@agent-service/sdk/provider-kit'
import { mendSchema, targetOf } from './mend-schema.js'

/** What vendors refuse at the root of a tool's schema. */
const refusedAtRoot = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const', 'if', 'then', 'else'] as const
/** How many references and choices are followed from the root. */
const maxFollowed = 8

/**
 * A schema of arguments as vendors take it: an object with properties and without a choice at its
 * root. It takes what any of the choices takes, and requires what all of them do; the tool itself
 * checks the rest. The same schema if nothing has to change.
 */
export function rootSchema(schema: JsonObject): JsonObject {
  const mended = mendSchema(schema)
  const isPlain = mended['type'] === 'object' && isObject(mended['properties']) && refusedAtRoot.every((name) => mended[name] === undefined)
  if (isPlain) return mended
  const { properties, required } = membersOf(mended, mended, 0)
  const others = Object.fromEntries(
    Object.entries(mended).filter(([name]) => !(refusedAtRoot as readonly string[]).includes(name) && name !== 'required'),
  )
  return { ...others, type: 'object', properties, ...(required.length > 0 && { required: [...required] }) }
}

interface Members {
  readonly properties: JsonObject
  readonly required: readonly JsonValue[]
}

/** The members of an object by a schema with all that it refers to. */
function membersOf(schema: JsonObject, root: JsonObject, followed: number): Members {
  const own = { properties: isObject(schema['properties']) ? schema['properties'] : {}, required: listOf(schema['required']) }
  if (followed > maxFollowed) return own
  const inner = (part: JsonObject): Members => membersOf(part, root, followed + 1)
  const target = targetOf(schema['$ref'], root)
  const all = [...(target ? [target] : []), ...schemasOf(schema['allOf'])].map(inner)
  const choices = [schema['anyOf'], schema['oneOf']].map(schemasOf).filter((each) => each.length > 0)
  const joined = choices.map((each) => anyOf(each.map(inner)))
  return [...all, ...joined].reduce(
    (sum, { properties, required }) => ({
      properties: { ...properties, ...sum.properties },
      required: [...new Set([...sum.required, ...required])],
    }),
    own,
  )
}

const anyOf = (choices: readonly Members[]): Members => ({
  properties: Object.assign({}, ...choices.map(({ properties }) => properties).reverse()) as JsonObject,
  required: choices.map(({ required }) => required).reduce((both, each) => both.filter((name) => each.includes(name))),
})

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : [])
const schemasOf = (value: JsonValue | undefined): readonly JsonObject[] => listOf(value).filter(isObject)
