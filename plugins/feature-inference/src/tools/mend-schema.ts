import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isObject } from '@agent-service/sdk/provider-kit'

/** Deeper schemas take anything. */
const maxDepth = 32

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** What authors of other languages write. */
const otherTypes: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  list: 'array',
  none: 'null',
}

const countKeywords: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
const numberKeywords: ReadonlySet<string> = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'])
const textKeywords: ReadonlySet<string> = new Set(['title', 'description', 'format', '$comment'])
/** Keywords whose value is a schema, a list of schemas, a map of schemas. */
const schemaKeywords: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems'])
const listKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

interface Place {
  readonly root: JsonObject
  readonly depth: number
}

/**
 * A JSON Schema without what vendors refuse, because no draft, or not the current one, permits it:
 * empty enums, unknown types, references to nothing, forms of earlier drafts. What is left out would
 * have guided the model; the tool itself checks its arguments. The same schema if nothing changes.
 */
export function mendSchema(schema: JsonObject): JsonObject {
  return mendObject(schema, { root: schema, depth: 0 })
}

/** Where a reference within a schema leads; `undefined` if nowhere. */
export function targetOf(reference: JsonValue | undefined, root: JsonObject): JsonObject | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let found: JsonValue | undefined = root
  for (const name of reference.split('/').slice(1)) {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isObject(found) && (reference === '#' || reference.startsWith('#/')) ? found : undefined
}

function mend(schema: JsonValue, place: Place): JsonValue {
  if (schema === false) return schema
  return isObject(schema) && place.depth < maxDepth ? mendObject(schema, place) : {}
}

function mendObject(schema: JsonObject, { root, depth }: Place): JsonObject {
  const inner = { root, depth: depth + 1 }
  const mended: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(schema)) {
    const kept = value === undefined ? undefined : mendMember(name, value, { ...inner, schema })
    if (kept !== undefined) mended[name] = kept
  }
  moveEarlierForms(schema, mended, inner)
  const names = Object.keys(mended)
  const isSame = names.length === Object.keys(schema).length && names.every((name) => mended[name] === schema[name])
  return isSame ? schema : mended
}

/** The value that stays under a keyword; `undefined`: none. Unknown keywords stay. */
function mendMember(name: string, value: JsonValue, place: Place & { readonly schema: JsonObject }): JsonValue | undefined {
  if (mapKeywords.has(name)) return isObject(value) ? mendEach(value, place) : undefined
  if (listKeywords.has(name)) return Array.isArray(value) && value.length > 0 ? mendAll(value as readonly JsonValue[], place) : undefined
  if (schemaKeywords.has(name)) return mend(value, place)
  if (countKeywords.has(name)) return Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined
  if (numberKeywords.has(name)) return typeof value === 'number' && (name !== 'multipleOf' || value > 0) ? value : undefined
  if (textKeywords.has(name)) return typeof value === 'string' ? value : undefined
  switch (name) {
    case 'type':
      return mendType(value)
    case 'enum':
      return mendEnum(value)
    case 'required':
      return Array.isArray(value) ? unchanged(value as readonly JsonValue[], uniqueTexts(value as readonly JsonValue[])) : undefined
    case 'items':
      // A list is the tuple of earlier drafts.
      return Array.isArray(value) ? undefined : mend(value, place)
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return typeof value === 'boolean' ? value : mend(value, place)
    case 'additionalItems':
      return Array.isArray(place.schema['items']) ? undefined : value
    case '$ref':
      return targetOf(value, place.root) ? value : undefined
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? value : undefined
    default:
      return value
  }
}

/** Writes in today's form what earlier drafts, or their readers, wrote otherwise. */
function moveEarlierForms(schema: JsonObject, mended: Record<string, JsonValue>, place: Place): void {
  const { items, additionalItems } = schema
  if (Array.isArray(items)) {
    if (items.length > 0 && mended['prefixItems'] === undefined) mended['prefixItems'] = mendAll(items as readonly JsonValue[], place)
    if (additionalItems !== undefined && additionalItems !== true) mended['items'] = mend(additionalItems, place)
  }
  const isArray = [mended['type']].flat().includes('array')
  if (isArray && mended['items'] === undefined) mended['items'] = {}
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = mended[limit]
    if (schema[flag] !== true || value === undefined) continue
    mended[flag] = value
    Reflect.deleteProperty(mended, limit)
  }
}

function mendType(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return typeNamed(value)
  if (!Array.isArray(value)) return undefined
  const given = value as readonly JsonValue[]
  const known = [...new Set(given.flatMap((each) => (typeof each === 'string' ? (typeNamed(each) ?? []) : [])))]
  return known.length === 0 ? undefined : unchanged(given, known)
}

function typeNamed(name: string): string | undefined {
  const lower = name.toLowerCase()
  return types.has(lower) ? lower : Object.hasOwn(otherTypes, lower) ? otherTypes[lower] : undefined
}

function mendEnum(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const given = value as readonly JsonValue[]
  const seen = new Set<string>()
  return unchanged(
    given,
    given.filter((each) => {
      const text = JSON.stringify(each)
      return !seen.has(text) && seen.add(text)
    }),
  )
}

function mendEach(schemas: JsonObject, place: Place): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, mend(schema ?? {}, place)] as const)
  return entries.every(([name, schema]) => schemas[name] === schema) ? schemas : Object.fromEntries(entries)
}

const mendAll = (schemas: readonly JsonValue[], place: Place): JsonValue =>
  unchanged(
    schemas,
    schemas.map((schema) => mend(schema, place)),
  )

const uniqueTexts = (values: readonly JsonValue[]): readonly JsonValue[] => [
  ...new Set(values.filter((value) => typeof value === 'string')),
]

/** The given list, if it has the same values as the other one. */
const unchanged = (given: readonly JsonValue[], other: readonly JsonValue[]): JsonValue =>
  (given.length === other.length && given.every((value, index) => value === other[index]) ? given : other) as JsonValue

/** Only compiled, never run. */
function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
