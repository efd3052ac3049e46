import { type JsonObject, type JsonValue, type TSchema, validate } from '@agent-service/sdk'
import { sampleOf } from '../../bad-input/support/bad-values.js'
import { type ApiDescription, inlined, operationsOf } from '../../support/api-description.js'

/** An operation that takes JSON, with a body that it is described to take. */
export interface BodyOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Who may call it: `user`, `admin`, or anyone. */
  readonly auth: string
  readonly schema: JsonObject
  readonly body: JsonValue
}

/** A body with something of a test at one place. */
export interface ChangedBody {
  readonly place: string
  readonly body: JsonValue
}

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const branchesOf = (schema: JsonObject): readonly JsonObject[] => (schema['anyOf'] ?? []) as readonly JsonObject[]
const membersOf = (schema: JsonObject): Readonly<Record<string, JsonObject>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
const fits = (schema: JsonObject, value: JsonValue): boolean => validate(schema as unknown as TSchema, value).length === 0

/** The value with these in place of the members of their names. */
function withIds(value: JsonValue, ids: Readonly<Record<string, string>>): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => withIds(each, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ids[name] ?? withIds(member, ids)]))
}

/**
 * Every operation that takes a JSON body, with one that it takes: of `bodies`, by the name of the operation, or the example
 * of its description, in which `ids` stand in place of invented ones.
 */
export function bodyOperations(
  description: ApiDescription,
  { ids, bodies }: { readonly ids: Readonly<Record<string, string>>; readonly bodies: Readonly<Record<string, JsonValue>> },
): readonly BodyOperation[] {
  return operationsOf(description).flatMap(({ path, method, operation }) => {
    const json = operation.requestBody?.content['application/json']
    if (json === undefined) return []
    const id = operation.operationId
    const schema = inlined(json.schema, description.components.schemas)
    const body = bodies[id] ?? withIds(json.example ?? sampleOf(schema), ids)
    return [{ id, method, path, schema, body, auth: String(operation['x-auth']) }]
  })
}

/** What to go on with below a schema: what the body has there, if it fits, else a sample. */
const startOf = (schema: JsonObject, value: JsonValue | undefined): JsonValue =>
  value !== undefined && fits(schema, value) ? value : sampleOf(schema)

/** Schemas of members that have any name; null stands for anything at all. */
function schemaOfOthers(schema: JsonObject): JsonObject | null | undefined {
  const patterns = schema['patternProperties']
  if (isObject(patterns)) return Object.values(patterns).filter(isObject)[0]
  const others = schema['additionalProperties']
  if (isObject(others)) return others
  return others === false || schema['type'] !== 'object' ? undefined : null
}

/** The body once for each place at which its schema takes a text of a person's choice, with this text there. */
export function* withText(schema: JsonObject, body: JsonValue | undefined, text: string, place = ''): Generator<ChangedBody> {
  if ('const' in schema) return
  const branches = branchesOf(schema)
  if (branches.length > 0) {
    for (const branch of branches) yield* withText(branch, body, text, place)
    return
  }
  switch (schema['type']) {
    case 'string':
    case undefined:
      yield { place, body: text }
      return
    case 'array': {
      const items = (schema['items'] ?? {}) as JsonObject
      const [first] = Array.isArray(body) ? body : []
      for (const inner of withText(items, first, text, `${place}/0`)) yield { place: inner.place, body: [inner.body] }
      return
    }
    case 'object': {
      const start = startOf(schema, body) as JsonObject
      for (const [name, member] of Object.entries(membersOf(schema)))
        for (const inner of withText(member, start[name], text, `${place}/${name}`))
          yield { place: inner.place, body: { ...start, [name]: inner.body } }
      const others = schemaOfOthers(schema)
      if (others === undefined) return
      const named = Object.keys(start).filter((name) => !(name in membersOf(schema)))
      for (const name of named.length > 0 ? named : ['entry'])
        for (const inner of withText(others ?? {}, start[name], text, `${place}/${name}`))
          yield { place: inner.place, body: { ...start, [name]: inner.body } }
      return
    }
    default:
  }
}

/** A body with members that its schema does not know at one place. */
export interface ExtendedBody extends ChangedBody {
  readonly added: readonly string[]
  /** The schema takes no other members than its own there. */
  readonly isClosed: boolean
}

/** The body once for each object in it, with those of these members there that the schema does not know. */
export function* withMembers(schema: JsonObject, body: JsonValue | undefined, members: JsonObject, place = ''): Generator<ExtendedBody> {
  const branches = branchesOf(schema)
  for (const branch of branches) yield* withMembers(branch, body, members, place)
  if (branches.length > 0) return
  if (schema['type'] === 'array') {
    const [first] = Array.isArray(body) ? body : []
    for (const inner of withMembers((schema['items'] ?? {}) as JsonObject, first, members, `${place}/0`))
      yield { ...inner, body: [inner.body] }
  }
  if (schema['type'] !== 'object') return
  const start = startOf(schema, body) as JsonObject
  const others = schemaOfOthers(schema)
  const unknown = Object.entries(members).filter(([name]) => !(name in membersOf(schema)))
  if (others === undefined || others === null)
    yield {
      ...{ place, added: unknown.map(([name]) => name), body: { ...start, ...Object.fromEntries(unknown) } },
      isClosed: schema['additionalProperties'] === false,
    }
  for (const [inside, member] of Object.entries(membersOf(schema)))
    for (const inner of withMembers(member, start[inside], members, `${place}/${inside}`))
      yield { ...inner, body: { ...start, [inside]: inner.body } }
}

/** The names of the members that a body can have, at any depth, with their place. */
export function* memberNames(schema: JsonObject, place = ''): Generator<readonly [name: string, place: string]> {
  for (const branch of branchesOf(schema)) yield* memberNames(branch, place)
  if (isObject(schema['items'])) yield* memberNames(schema['items'], `${place}/0`)
  for (const [name, member] of Object.entries(membersOf(schema))) {
    yield [name, `${place}/${name}`]
    yield* memberNames(member, `${place}/${name}`)
  }
}
