import type { TSchema } from 'typebox'
import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { checkPortableSchema } from '../../manifest/portable-schema.js'

/** What a contributed schema has to be, beside one that survives JSON. */
type SchemaKind = 'any' | 'object' | 'closed object'

const keyword = 'x-contributed-schema'

/** A member that holds a schema. {@link checkContributedSchemas} looks at what is in it. */
export const aSchema = (kind: SchemaKind = 'any'): TSchema => Type.Unknown({ [keyword]: kind })

/**
 * Everything that is wrong with the schemas that a contribution carries if its shape has {@link
 * aSchema}. Whatever else does not fit the shape is passed over.
 */
export function checkContributedSchemas(shape: unknown, value: unknown, path = ''): readonly Problem[] {
  if (!isObject(shape) || value === undefined) return []
  const { properties, items, patternProperties, anyOf } = shape
  if (keyword in shape) return checkSchema(value, path, shape[keyword] as SchemaKind)
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => checkContributedSchemas(items, item, `${path}/${index}`))
  if (!isObject(value)) return []
  const chosen = Array.isArray(anyOf) ? anyOf.filter((each) => isMeant(each, value)) : []
  const [each] = isObject(patternProperties) ? Object.values(patternProperties) : []
  return [
    ...chosen.flatMap((alternative) => checkContributedSchemas(alternative, value, path)),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => checkContributedSchemas(member, value[name], `${path}/${name}`)),
    ...(each === undefined ? [] : Object.entries(value)).flatMap(([name, member]) =>
      checkContributedSchemas(each, member, `${path}/${name}`),
    ),
  ]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** Whether the constants of an alternative are those of the value: `kind: 'json'`. */
const isMeant = (alternative: unknown, value: Readonly<Record<string, unknown>>): boolean =>
  isObject(alternative) &&
  Object.entries(alternative['properties'] ?? {}).every(
    ([name, member]) => !isObject(member) || member['const'] === undefined || member['const'] === value[name],
  )

function checkSchema(schema: unknown, path: string, kind: SchemaKind): readonly Problem[] {
  const problems = checkPortableSchema(schema, path)
  if (problems.length > 0 || kind === 'any') return problems
  const { type, additionalProperties } = schema as { readonly type?: unknown; readonly additionalProperties?: unknown }
  if (type !== 'object') return [{ path, message: 'must be the schema of an object' }]
  if (kind === 'object' || additionalProperties === false) return []
  return [{ path, message: 'must be closed: write additionalProperties: false, or make it with Type.Object' }]
}
