import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { besideConnectionField, brandOf } from './field-values.js'
import { fieldsOf, type Schema, typedPropertiesOf } from './schema-fields.js'
import { protocols } from './specification.js'

/** One field at a place of its own, so that all fields of a section can be tried in one file. */
export interface FieldCase {
  /**
   * The name that its values are looked up by: `server.port`, `providers.<handle>.api_key`,
   * `thinking.type`.
   */
  readonly name: string
  /** Where it stands in the file: the keys of maps are those of the case. */
  readonly path: readonly string[]
  readonly node: Schema
  /** What must stand beside it, as a whole file. */
  readonly beside: JsonObject
}

const connections: JsonObject = Object.fromEntries(
  [...new Set(Object.values(brandOf))].map((brand) => [brand, { provider: brand }] as const),
)

/**
 * Every field of every section, and every setting that is typed by protocol, grouped by section or
 * protocol.
 */
export function fieldCases(schema: Schema): ReadonlyMap<string, readonly FieldCase[]> {
  const groups = new Map<string, FieldCase[]>()
  const add = (group: string, field: FieldCase): void => void groups.set(group, [...(groups.get(group) ?? []), field])
  for (const [name, { node }] of fieldsOf(schema)) {
    // It is refused whatever it says.
    if (name === 'providers.<handle>.azure_credential') continue
    const [section = '', key = '', ...rest] = name.split('.')
    if (section === 'providers') add(section, connectionCase(name, rest, node))
    else if (section === 'models') add(section, groupCase(name, rest, node))
    else add(section, { name, path: name.split('.'), node, beside: {} })
    if (section === '' || key === '') throw new Error(`“${name}” is no field of a section.`)
  }
  for (const protocol of protocols)
    for (const [name, { node }] of typedPropertiesOf(schema, protocol)) add(protocol, typedCase(protocol, name, node))
  return groups
}

function connectionCase(name: string, rest: readonly string[], node: Schema): FieldCase {
  const handle = `f_${rest.join('_')}`
  const field = rest.join('.')
  return {
    name,
    path: ['providers', handle, ...rest],
    node,
    beside: { providers: { [handle]: besideConnectionField[field] ?? { provider: 'openai' } } },
  }
}

function groupCase(name: string, rest: readonly string[], node: Schema): FieldCase {
  const group = `g_${rest.join('_')}`
  // A price in part needs a model whose price the catalogue knows.
  const model = rest[0] === 'price' ? 'gpt-4o-mini' : 'm'
  return { name, path: ['models', group, ...rest], node, beside: groupFile(group, { provider: 'openai', model }) }
}

function typedCase(protocol: string, name: string, node: Schema): FieldCase {
  const group = `${protocol}-${name}`.replace(/[^a-z]/g, '_')
  const thinking = name === 'thinking.budget_tokens' ? { thinking: { type: 'enabled' }, max_tokens: 8192 } : {}
  const settings = { provider: brandOf[protocol] ?? '', model: 'm', api: protocol, ...thinking }
  return { name, path: ['models', group, ...name.split('.')], node, beside: groupFile(group, settings) }
}

const groupFile = (group: string, settings: JsonObject): JsonObject => ({ providers: connections, models: { [group]: settings } })

/** A file with what stands beside every case, and the value of each for which there is one. */
export function fileOf(cases: readonly FieldCase[], choose: (field: FieldCase) => JsonValue | undefined): JsonObject {
  const file: Record<string, JsonValue> = {}
  for (const field of cases) merge(file, field.beside)
  for (const field of cases) {
    const value = choose(field)
    if (value !== undefined) merge(file, field.path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value) as JsonObject)
  }
  return file
}

function merge(target: Record<string, JsonValue>, source: JsonObject): void {
  for (const [name, value] of Object.entries(source)) {
    const known = target[name]
    if (isObject(value) && isObject(known)) {
      const inner = { ...known }
      merge(inner, value)
      target[name] = inner
    } else target[name] = value
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The variable of a place: `SERVICE_SERVER`, `SERVICE_MODELS_MAIN__RETRY__MAX_RETRIES`. */
export const variableOf = ([section = '', ...rest]: readonly string[]): string =>
  `SERVICE_${section}${rest.length === 0 ? '' : `_${rest.join('__')}`}`.replaceAll('-', '_').toUpperCase()

export const valueAt = (value: JsonValue, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((holder, name) => (isObject(holder) ? holder[name] : undefined), value)
