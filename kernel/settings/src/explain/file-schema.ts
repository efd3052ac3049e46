import { choicesOf, isOpen, isUnset, type SchemaNode, takesAnything } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { descriptionOf, examplesOf, titleOf } from './field-words.js'
import { offerVariants, openPlace } from './open-place-schema.js'

/** Text with a `${NAME}` reference. */
const reference = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}'

interface Walk {
  readonly path: readonly string[]
  /** The name of the field. */
  readonly name: string
  /** `${NAME}` is read as a reference here. */
  readonly references: boolean
  /** It may be absent: an empty text means not set. */
  readonly optional: boolean
  /** Must be present in the file or the environment. */
  readonly required: boolean
  readonly definitions: Map<string, JsonObject>
}

/**
 * The JSON Schema (2020-12) of the configuration file, for editors: with titles, descriptions,
 * units, defaults, marks of secrets (`writeOnly`, `x-secret`) and examples. It accepts what the
 * service accepts in the file, also references and empty sections; `config check` reports what
 * rules and the environment add. Typed settings of open places are listed with all others, and
 * conditions refuse those that the object's variant does not have. Keywords of the project (`x-…`)
 * are kept if they help a settings form.
 */
export function fileSchema(schema: SchemaNode): JsonObject {
  const definitions = new Map<string, JsonObject>()
  const sections = Object.entries(schema.properties ?? {}).map(([name, node]): [string, JsonObject] => [
    name,
    describe(node, { path: [name], name, references: node['x-expand'] !== 'never', optional: false, required: false, definitions }),
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Agent Service',
    description: 'One YAML file. Every field can be left out; the environment wins over the file, the file over the defaults.',
    type: ['object', 'null'],
    properties: Object.fromEntries(sections),
    additionalProperties: false,
    $defs: Object.fromEntries(definitions),
  }
}

function describe(node: SchemaNode, walk: Walk): JsonObject {
  return { ...annotations(node, walk), ...shape(node, walk) }
}

function annotations(node: SchemaNode, { name, required }: Walk): JsonObject {
  const description = descriptionOf(node, required)
  const examples = examplesOf(node, name)
  const secret = node['x-secret'] === true
  return {
    title: node.title ?? titleOf(name),
    ...(description === '' ? {} : { description }),
    ...(node.default === undefined || secret ? {} : { default: node.default }),
    ...(examples.length === 0 ? {} : { examples: [...examples] }),
    ...(secret ? { writeOnly: true, 'x-secret': true } : {}),
    ...(node['x-unit'] === undefined ? {} : { 'x-unit': node['x-unit'] }),
    ...(node['x-harmless'] === true ? { 'x-harmless': true } : {}),
    ...(node['x-default-path'] === undefined ? {} : { 'x-default-path': node['x-default-path'] }),
    ...(node['x-no-effect'] === undefined ? {} : { 'x-no-effect': node['x-no-effect'] }),
  }
}

/** What the schema asserts. */
function shape(node: SchemaNode, walk: Walk): JsonObject {
  const choices = choicesOf(node)
  if (choices) return walk.references ? { anyOf: [{ enum: [...choices] }, referenceText] } : { enum: [...choices] }
  if (node.anyOf) return { anyOf: node.anyOf.map((variant) => shape(variant, walk)) }
  if (takesAnything(node)) return {}
  switch (node.type) {
    case 'object':
      return { ...orReference(['object', 'null'], walk), ...objectShape(node, walk) }
    case 'array':
      return {
        ...orReference(walk.optional ? ['array', 'null'] : ['array'], walk),
        ...picked(node, ['minItems', 'maxItems', 'uniqueItems']),
        items: node.items ? describe(node.items, { ...walk, name: 'item', optional: false, required: false }) : {},
      }
    case 'string':
      return textShape(node, walk)
    default:
      return {
        ...orReference([node.type ?? 'null'], walk),
        ...picked(node, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
      }
  }
}

const referenceText: JsonObject = { type: 'string', pattern: reference }

const orReference = (types: readonly string[], { references }: Walk): JsonObject =>
  references ? { type: [...types, 'string'], pattern: reference } : { type: types.length === 1 ? (types[0] ?? 'null') : [...types] }

function textShape(node: SchemaNode, { references, optional }: Walk): JsonObject {
  const mayBeEmpty = optional && node.default === undefined
  const alternatives = [...(mayBeEmpty ? ['^$'] : []), ...(references ? [reference] : [])]
  const pattern = node.pattern === undefined ? {} : { pattern: [...alternatives, `(?:${node.pattern})`].join('|') }
  return {
    type: 'string',
    ...pattern,
    ...(mayBeEmpty ? {} : picked(node, ['minLength'])),
    ...picked(node, ['maxLength']),
    ...(node.format === undefined ? {} : { 'x-format': node.format }),
  }
}

function objectShape(node: SchemaNode, walk: Walk): JsonObject {
  const place = openPlace(node, (name, setting, parent) => describe(setting, below(walk, parent, name, setting)))
  const definition = place && define(walk.definitions, [walk.path[0], node['x-extension-place'] ?? 'place'].join('.'), place.definition)
  const typed = place?.names.map((name): [string, JsonValue] => [name, { $ref: `${definition}/properties/${name}` }]) ?? []
  const properties = { ...declared(node, walk), ...Object.fromEntries(typed), ...knownEntries(node, walk) }
  return {
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...entries(node, walk),
    ...(definition === undefined ? {} : { allOf: [{ $ref: definition }] }),
    ...picked(node, ['minProperties', 'maxProperties']),
  }
}

const below = (walk: Walk, parent: SchemaNode, name: string, node: SchemaNode): Walk => ({
  ...walk,
  name,
  path: [...walk.path, name],
  references: node['x-expand'] === undefined ? walk.references : node['x-expand'] !== 'never',
  optional: isUnset(parent, name, node) || node.default !== undefined,
  required:
    (parent.required ?? []).includes(name) && node.default === undefined && node['x-default-path'] === undefined && node.type !== 'object',
})

function declared(node: SchemaNode, walk: Walk): Record<string, JsonValue> {
  const members = Object.entries(node.properties ?? {}).filter(([, member]) => member['x-removed'] === undefined)
  return Object.fromEntries(
    members.map(([name, member]) => {
      const described = describe(member, below(walk, node, name, member))
      return [name, name === node['x-variant-member'] ? offerVariants(described, node) : described]
    }),
  )
}

/** Keys of a map that the kernel knows, so that an editor offers them. */
function knownEntries(node: SchemaNode, walk: Walk): Record<string, JsonValue> {
  const names = node['x-known-keys'] ?? []
  const known = Object.values(node.patternProperties ?? {})[0]
  return known === undefined ? {} : Object.fromEntries(names.map((name) => [name, entry(known, walk)]))
}

/** The schema of entries that a map does not name. */
function entries(node: SchemaNode, walk: Walk): JsonObject {
  const patterns = Object.entries(node.patternProperties ?? {})
  return {
    ...(patterns.length === 0
      ? {}
      : { patternProperties: Object.fromEntries(patterns.map(([pattern, matching]) => [pattern, entry(matching, walk)])) }),
    ...(typeof node.additionalProperties === 'object'
      ? { additionalProperties: entry(node.additionalProperties, walk) }
      : isOpen(node)
        ? {}
        : { additionalProperties: false }),
  }
}

/** The entries of a map share one definition. */
function entry(node: SchemaNode, walk: Walk): JsonObject {
  if (takesAnything(node)) return {}
  const path = [...walk.path, '<name>']
  const described = describe(node, { ...walk, path, name: `entry of ${walk.name}`, optional: false, required: false })
  return { $ref: define(walk.definitions, [...walk.path, 'entry'].join('.'), described) }
}

/**
 * Adds a schema to the definitions, once, and returns its reference. Another one of the same name
 * gets a number.
 */
function define(definitions: Map<string, JsonObject>, name: string, schema: JsonObject): string {
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? name : `${name}.${count}`
    const known = definitions.get(numbered)
    if (known === undefined) definitions.set(numbered, schema)
    if (known === undefined || JSON.stringify(known) === JSON.stringify(schema)) return `#/$defs/${numbered}`
  }
}

const picked = (node: SchemaNode, names: readonly (keyof SchemaNode)[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (node[name] === undefined ? [] : [[name, node[name] as JsonValue]])))
