import { choicesOf, formatPath, isObject, type SchemaNode, takesAnything } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import fc from 'fast-check'
import type { ConfigurationPatch } from './configuration-editor.js'

const formats: Readonly<Record<string, readonly string[]>> = {
  'http-url': ['https://a.example', 'http://b.example/a:b'],
  'origin-list': ['https://a.example, https://b.example'],
  'network-list': ['10.0.0.0/8', '::1, 127.0.0.1'],
  host: ['127.0.0.1', '::1', 'localhost'],
  'time-zone': ['Europe/Berlin', 'UTC'],
}

const words = fc.constantFrom('plain', 'yes', 'a: b', '# no', "it's", '${HOME_OF_IT}', 'x'.repeat(90), 'ünï', '12', ' edges ', 'two\nlines')
const mapKey = fc.constantFrom('work', 'primary', 'github-copilot', 'ollama', 'a_b')
const open = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

/**
 * Values that mostly hold by a schema, often a default, sometimes without members that must be
 * there.
 */
export function valueFor(node: SchemaNode): fc.Arbitrary<JsonValue> {
  const usual = node.default === undefined ? [] : [fc.constant(node.default)]
  return fc.oneof({ weight: 4, arbitrary: freshValue(node) }, ...usual)
}

function freshValue(node: SchemaNode): fc.Arbitrary<JsonValue> {
  const choices = choicesOf(node)
  if (choices) return fc.constantFrom(...choices)
  if (node.anyOf) return fc.oneof(...node.anyOf.map(valueFor))
  if (takesAnything(node)) return node['x-expand'] === 'never' ? open : words
  const { minimum = 0, maximum = 100_000 } = node
  switch (node.type) {
    case 'object':
      return objectFor(node)
    case 'array':
      return fc.uniqueArray(valueFor(node.items ?? {}), { maxLength: 3, selector: (value) => JSON.stringify(value) })
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc.double({ min: minimum, max: Math.min(maximum, 1000), noNaN: true }).map((number) => Math.round(number * 100) / 100)
    default:
      return node['x-path'] || node['x-default-path'] ? fc.constantFrom('/a/b', 'data', 'a: b') : textFor(node)
  }
}

function textFor({ format }: SchemaNode): fc.Arbitrary<string> {
  const known = formats[format ?? '']
  return known ? fc.constantFrom(...known) : words
}

function objectFor(node: SchemaNode): fc.Arbitrary<JsonObject> {
  const variants = Object.entries(node['x-extensions'] ?? {})
  if (variants.length === 0) return membersOf(node, {})
  const variant = node['x-variant-member'] ?? ''
  return fc
    .constantFrom(...variants)
    .chain(([name, { properties = {} }]) => membersOf(node, { ...properties, [variant]: { const: name } }, [variant]))
}

/** An object with the members of a schema and some more, and with entries where it is a map. */
function membersOf(node: SchemaNode, more: Readonly<Record<string, SchemaNode>>, needed: readonly string[] = []): fc.Arbitrary<JsonObject> {
  const members = Object.entries({ ...node.properties, ...more })
  const required = (node.required ?? []).filter(
    (name) => node.properties?.[name]?.type === 'string' && node.properties[name].default === undefined,
  )
  const known = fc.record(Object.fromEntries(members.map(([name, member]) => [name, valueFor(member)])), {
    requiredKeys: [...required, ...needed],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>
  const entry =
    Object.values(node.patternProperties ?? {})[0] ??
    (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined)
  if (!entry) return known
  const inherited = node['x-expand'] && !entry['x-expand'] ? { ...entry, 'x-expand': node['x-expand'] } : entry
  const entries = fc.dictionary(mapKey, valueFor(inherited), { maxKeys: 3, noNullPrototype: true })
  return fc.tuple(known, entries).map(([fixed, found]) => ({ ...found, ...fixed }) as JsonObject)
}

/** What no schema says and rules ask for. */
export function withinRules(value: JsonObject): JsonObject {
  const { plugins, server, ...rest } = value
  return {
    ...rest,
    // A folder that the data has lain in before is refused too, which a start of its own does not
    // know.
    ...(isObject(server) && server['static_dir'] !== undefined
      ? { server: { ...server, static_dir: '/pages' } }
      : isObject(server)
        ? { server }
        : {}),
    ...(isObject(plugins)
      ? { plugins: { ...plugins, required: [], sources: ['/a', 'b: c'].slice(0, Object.keys(plugins).length % 2) } }
      : {}),
  }
}

/** A change of some of the places that two values have. */
export function patchBetween(from: JsonObject, to: JsonObject): fc.Arbitrary<ConfigurationPatch> {
  const resets = pathsIn(from)
  const sets = pathsIn(to)
  return fc
    .tuple(
      fc.subarray([...sets], { maxLength: Math.min(4, sets.length) }),
      fc.subarray([...resets], { maxLength: Math.min(2, resets.length) }),
    )
    .map(([set, reset]) => {
      const chosen: (readonly string[])[] = []
      const isApart = (path: readonly string[]): boolean => !chosen.some((other) => begins(path, other) || begins(other, path))
      const take = (paths: readonly (readonly string[])[]): readonly (readonly string[])[] =>
        paths.filter((path) => isApart(path) && chosen.push(path) > 0)
      return {
        set: Object.fromEntries(take(set).map((path) => [formatPath(path), at(to, path)])),
        reset: take(reset).map(formatPath),
      }
    })
}

const begins = (path: readonly string[], other: readonly string[]): boolean => path.every((name, index) => name === other[index])

const at = (value: JsonObject, path: readonly string[]): JsonValue =>
  path.reduce<JsonValue>((inner, name) => (isObject(inner) ? (inner[name] ?? null) : null), value)

const pathsIn = (value: JsonObject, above: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(value).flatMap(([name, member]) => [[...above, name], ...(isObject(member) ? pathsIn(member, [...above, name]) : [])])
