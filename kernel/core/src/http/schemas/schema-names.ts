import { type Disposer, type JsonObject, nameOfSchema, type PluginManifest, schemaNameKeyword, type TSchema } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { schemaNameConflictError } from '../errors.js'
import type { TableEntry } from '../route-table.js'

/** Which schema each name of the OpenAPI description means, and who said so. */
export interface SchemaNames {
  /**
   * Claims the names in the schemas of a route.
   * @throws `schema_name_conflict` if another schema has one of them, which names both owners.
   */
  claim(entry: TableEntry): Disposer
  /**
   * The same for a schema that is not of a route. `nameIfNone`: what it is called if it has no
   * name of its own.
   */
  claimSchema(schema: TSchema, owner: NameOwner, nameIfNone: string): Disposer
}

/** Who names a schema. */
export interface NameOwner {
  readonly id: string
  /** In front of each of its names; empty for built-in plugins and the kernel. */
  readonly schemaPrefix?: string
}

interface Claim {
  readonly schema: object
  readonly owner: string
  /** How many schemas with the name are served. */
  uses: number
}

interface Named {
  readonly name: string
  readonly schema: object
}

/** Makes an empty register. */
export function createSchemaNames(): SchemaNames {
  const claims = new Map<string, Claim>()
  const found = new WeakMap<object, readonly Named[]>()
  const same = new WeakMap<object, object>()

  const claimAll = (all: readonly Named[], owner: NameOwner): Disposer => {
    const taken: Claim[] = []
    const release = (): void => {
      for (const claim of taken.splice(0)) claim.uses -= 1
      for (const { name } of all) if (claims.get(name)?.uses === 0) claims.delete(name)
    }
    for (const { name, schema } of all) {
      const claim = claims.get(name) ?? { schema, owner: owner.id, uses: 0 }
      if (!isSameSchema(schema, claim.schema, same)) {
        release()
        throw schemaNameConflictError.create({ name, owner: owner.id, otherOwner: claim.owner })
      }
      claims.set(name, claim)
      claim.uses += 1
      taken.push(claim)
    }
    return release
  }
  const withPrefix = (all: readonly Named[], { schemaPrefix = '' }: NameOwner): readonly Named[] =>
    schemaPrefix === '' ? all : all.map(({ name, schema }) => ({ name: schemaPrefix + name, schema }))

  return {
    claim: ({ route, owner, webSocket }) => {
      const schemas = schemasOf({ route, owner, ...(webSocket && { webSocket }) })
      const own = schemas.flatMap(([schema]) => namesIn(schema, found))
      const derived = schemas.flatMap(([schema, name]) =>
        name !== undefined && nameOfSchema(schema) === undefined && describesStructure(schema as never) ? [{ name, schema }] : [],
      )
      return claimAll([...withPrefix(own, owner), ...derived], owner)
    },
    claimSchema(schema, owner, nameIfNone) {
      const derived = nameOfSchema(schema) === undefined ? [{ name: nameIfNone, schema }] : []
      return claimAll([...withPrefix(namesIn(schema, found), owner), ...derived], owner)
    },
  }
}

/** A third party's names begin with its plugin's id: `ToolDice`. Those of a built-in plugin are as they are. */
export const schemaPrefixOf = ({ id, builtIn }: { readonly id: string; readonly builtIn: boolean }): string =>
  builtIn ? '' : pascalCaseOf(id)

/** Claims the names in the types of events of a plugin. @throws `schema_name_conflict` */
export function claimEventNames(
  names: SchemaNames,
  plugin: { readonly id: string; readonly builtIn: boolean; readonly manifest: Pick<PluginManifest, 'events'> },
): void {
  const owner = { id: plugin.id, schemaPrefix: schemaPrefixOf(plugin) }
  for (const [name, { schema }] of Object.entries(plugin.manifest.events ?? {})) names.claimSchema(schema, owner, eventDataNameOf(name))
}

/** The schemas of a route, each with the name that it gets if it has none. */
function schemasOf({ route, webSocket }: TableEntry): readonly (readonly [TSchema, string?])[] {
  const { params, query, body, answers, operationId } = route
  const messages = webSocket?.messages
  return [
    ...(params ? [[params] as const] : []),
    ...(query ? [[query] as const] : []),
    ...(body?.kind === 'json' ? [[body.schema, bodyNameOf(route)] as const] : []),
    ...Object.entries(answers).flatMap(([status, { schema }]) => (schema ? [[schema, answerNameOf(route, status)] as const] : [])),
    ...(messages?.kind === 'json'
      ? [
          [messages.inbound, messageNameOf(operationId, 'Inbound')] as const,
          [messages.outbound, messageNameOf(operationId, 'Outbound')] as const,
        ]
      : []),
  ]
}

/** Each named schema in a schema, itself included. Looks at an object once. */
function namesIn(schema: object, found: WeakMap<object, readonly Named[]>): readonly Named[] {
  const known = found.get(schema)
  if (known) return known
  const name = nameOfSchema(schema as TSchema)
  const { properties, patternProperties, items, additionalProperties, anyOf } = schema as Readonly<Record<string, unknown>>
  const inner = [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(isJsonObject(patternProperties) ? Object.values(patternProperties) : []),
    ...(Array.isArray(anyOf) ? anyOf : []),
    items,
    additionalProperties,
  ]
  const names = new Map<string, Named>(name === undefined ? [] : [[name, { name, schema }]])
  const all: Named[] = [...names.values()]
  for (const each of inner) {
    if (!isJsonObject(each)) continue
    for (const named of namesIn(each, found)) {
      if (names.get(named.name)?.schema === named.schema) continue
      names.set(named.name, named)
      all.push(named)
    }
  }
  found.set(schema, all)
  return all
}

/**
 * Whether two schemas say the same: a manifest comes from a file, a route from code. Pairs that were
 * compared are remembered, also those of the named schemas inside, so that nothing is looked at
 * twice.
 */
function isSameSchema(one: unknown, other: unknown, known: WeakMap<object, object>): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item: unknown, index) => isSameSchema(item, other[index], known))
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  if (known.get(one) === other) return true
  const names = Object.keys(one)
  const isSame =
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameSchema(one[name], other[name], known))
  if (isSame && Object.hasOwn(one, schemaNameKeyword)) known.set(one, other)
  return isSame
}

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a schema is worth a name: that of an object, a list or a choice. */
export const describesStructure = ({ type, anyOf }: JsonObject): boolean => type === 'object' || type === 'array' || anyOf !== undefined

/** `createChat` → `CreateChat`, `run.started` → `RunStarted`, `tool-dice` → `ToolDice`. */
export const pascalCaseOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The name of a body that its author gave none: that of the operation. */
export const bodyNameOf = ({ operationId }: Pick<HttpRoute, 'operationId'>): string => pascalCaseOf(operationId)

/** The name of an answer that its author gave none: `CreateChatResult`, or with the status of a further one. */
export function answerNameOf({ operationId, answers }: Pick<HttpRoute, 'operationId' | 'answers'>, status: string): string {
  const [first] = Object.entries(answers).flatMap(([each, { schema }]) => (schema ? [each] : []))
  return `${pascalCaseOf(operationId)}Result${first === status ? '' : status}`
}

/** The name of a message of a WebSocket. */
export const messageNameOf = (operationId: string, direction: 'Inbound' | 'Outbound'): string => `${pascalCaseOf(operationId)}${direction}`

/** The name of the data of a type of event. */
export const eventDataNameOf = (event: string): string => `${pascalCaseOf(event)}EventData`
