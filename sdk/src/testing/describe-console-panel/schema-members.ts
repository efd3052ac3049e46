/** A JSON Schema, read as plain data. */
export type PlainSchema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is PlainSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas that a value may fit: the parts of an `anyOf`, or the schema itself. */
export function alternativesOf(schema: PlainSchema): readonly PlainSchema[] {
  const parts = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(parts) ? parts.filter(isSchema).flatMap(alternativesOf) : [schema]
}

/** The schemas of the properties of an object schema; undefined if it names none. */
export function propertiesOf(schema: PlainSchema): Readonly<Record<string, PlainSchema>> | undefined {
  const [only, ...others] = alternativesOf(schema).filter(({ type }) => type !== 'null')
  const properties = others.length === 0 ? only?.['properties'] : undefined
  return isSchema(properties) ? (properties as Readonly<Record<string, PlainSchema>>) : undefined
}

/** The schema of a member by its dotted name: `absent`, or `unknown` where a schema names no properties. */
export function memberOf(schema: PlainSchema, name: string): PlainSchema | 'absent' | 'unknown' {
  let found = schema
  for (const part of name.split('.')) {
    const properties = propertiesOf(found)
    if (properties === undefined) return 'unknown'
    const next = Object.hasOwn(properties, part) ? properties[part] : undefined
    if (next === undefined) return found['additionalProperties'] === true ? 'unknown' : 'absent'
    found = next
  }
  return found
}

/** The types of JSON that a schema allows beside null; empty if it does not say. */
export function typesOf(schema: PlainSchema): readonly string[] {
  const types = alternativesOf(schema).map(({ type, const: only }) => type ?? (only === undefined ? undefined : typeof only))
  if (types.some((type) => typeof type !== 'string')) return []
  return types.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : String(type)))
}

/** The schema of a row in a page: `{ items: […] }`. */
export function rowOf(answer: PlainSchema): PlainSchema | 'no list' | 'unknown' {
  const items = memberOf(answer, 'items')
  if (typeof items === 'string') return items === 'absent' ? 'no list' : 'unknown'
  if (!typesOf(items).includes('array')) return 'no list'
  return isSchema(items['items']) ? items['items'] : 'unknown'
}
