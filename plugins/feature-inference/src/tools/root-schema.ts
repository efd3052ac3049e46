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

/**
 * The members of an object by a schema with all that it refers to. Each part is read once, however
 * many refer to it: schemas come from anywhere, and a small one can refer to itself many times.
 */
function membersOf(schema: JsonObject, root: JsonObject, followed: number, known = new Map<JsonObject, Members>()): Members {
  const found = known.get(schema)
  if (found) return found
  const own = { properties: isObject(schema['properties']) ? schema['properties'] : {}, required: listOf(schema['required']) }
  // For parts of it that lead back to it.
  known.set(schema, own)
  if (followed > maxFollowed) return own
  const inner = (part: JsonObject): Members => membersOf(part, root, followed + 1, known)
  const target = targetOf(schema['$ref'], root)
  const all = [...(target ? [target] : []), ...schemasOf(schema['allOf'])].map(inner)
  const choices = [schema['anyOf'], schema['oneOf']].map(schemasOf).filter((each) => each.length > 0)
  const joined = choices.map((each) => anyOf(each.map(inner)))
  const members = allOf([own, ...all, ...joined])
  known.set(schema, members)
  return members
}

/** Of members of the same name, the first counts. */
const propertiesOf = (each: readonly Members[]): JsonObject => {
  const properties = new Map<string, JsonValue>()
  for (const members of each)
    for (const [name, value] of Object.entries(members.properties))
      if (value !== undefined && !properties.has(name)) properties.set(name, value)
  return Object.fromEntries(properties)
}

const allOf = (each: readonly Members[]): Members => ({
  properties: propertiesOf(each),
  required: [...new Set(each.flatMap(({ required }) => required))],
})

const anyOf = (choices: readonly Members[]): Members => ({
  properties: propertiesOf(choices),
  required: choices
    .map(({ required }) => required)
    .reduce((both, each) => {
      const names = new Set(each)
      return both.filter((name) => names.has(name))
    }),
})

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : [])
const schemasOf = (value: JsonValue | undefined): readonly JsonObject[] => listOf(value).filter(isObject)
