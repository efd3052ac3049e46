import type { Problem } from '../core/errors.js'
import { checkAnnotation } from './check-annotation.js'
import { checkJson, pointer } from './check-json.js'

const deepest = 64

/** Keywords whose values are schemas again. */
const oneSchema: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties'])

/**
 * Keywords that hold plain values: what they may be is the validator's business, that they survive
 * JSON is ours.
 */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['type', 'const', 'required', 'title', 'description', 'default', 'examples', 'format', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
])

/** Marks that TypeBox hides from JSON and that are meaningless without it. */
const hiddenMarks: ReadonlySet<string> = new Set(['~kind', '~optional'])

const types: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

/**
 * Checks that a schema keeps its meaning when it is written as JSON: only the keywords that `Type`
 * offers, annotations (`title`, `description`, `default`, `examples`, `format`, `x-*` of the right
 * type) and plain values; no functions, regular-expression objects, dates, `undefined` or symbols,
 * and nothing that only TypeBox knows of. Empty when it does; else every problem, its path a JSON
 * pointer that begins with `path`. A schema without a problem must not be changed afterwards.
 */
export function checkPortableSchema(schema: unknown, path: string): readonly Problem[] {
  return checkSchema(schema, path, new Set())
}

/**
 * Schemas without a problem, each with how many schemas were above it: one that stands in many
 * places, as those of a plugin's answers do, is looked at again only where it is deeper.
 */
const sound = new WeakMap<object, number>()

function checkSchema(schema: unknown, path: string, above: Set<unknown>): readonly Problem[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [{ path, message: 'must be a JSON Schema object' }]
  if (above.has(schema)) return [{ path, message: 'contains itself; JSON has no cycles' }]
  if (above.size >= deepest) return [{ path, message: `is nested more than ${deepest} levels deep` }]
  if ((sound.get(schema) ?? -1) >= above.size) return []
  above.add(schema)
  const problems = Reflect.ownKeys(schema).flatMap((key) =>
    checkKeyword(schema as Readonly<Record<string | symbol, unknown>>, key, path, above),
  )
  above.delete(schema)
  if (problems.length === 0) sound.set(schema, above.size)
  return problems
}

function checkKeyword(
  schema: Readonly<Record<string | symbol, unknown>>,
  key: string | symbol,
  path: string,
  inside: Set<unknown>,
): readonly Problem[] {
  if (typeof key === 'symbol') return [{ path, message: `has the symbol ${String(key)} as a key, which JSON leaves out` }]
  const at = pointer(path, key)
  const value = schema[key]
  if (!Object.prototype.propertyIsEnumerable.call(schema, key)) {
    return hiddenMarks.has(key)
      ? []
      : [
          {
            path,
            message: `uses “${key.replace(/^~/, '')}”, which exists in memory only; describe the rule in the schema or check it in code`,
          },
        ]
  }
  if (oneSchema.has(key)) return key === 'additionalProperties' && typeof value === 'boolean' ? [] : checkSchema(value, at, inside)
  if (namedSchemas.has(key)) return checkNamed(key, value, at, inside)
  if (key === 'anyOf') {
    if (!Array.isArray(value) || value.length === 0) return [{ path: at, message: 'must be a list of schemas' }]
    return value.flatMap((branch: unknown, index) => checkSchema(branch, pointer(at, index), inside))
  }
  if (!plainKeywords.has(key) && !key.startsWith('x-')) {
    return [{ path: at, message: `“${key}” is not among the keywords that are supported; use what Type of the SDK offers` }]
  }
  if (key === 'type' && !types.has(value)) return [{ path: at, message: `must be one of ${[...types].join(', ')}` }]
  if (key === 'pattern') return checkPattern(value, at)
  const problems = checkJson(value, at)
  return problems.length > 0 ? problems : checkAnnotation(key, value, at)
}

function checkNamed(key: string, value: unknown, path: string, inside: Set<unknown>): readonly Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, message: 'must be an object of schemas' }]
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = pointer(path, name)
    return [...(key === 'patternProperties' ? checkPattern(name, at) : []), ...checkSchema(inner, at, inside)]
  })
}

function checkPattern(pattern: unknown, path: string): readonly Problem[] {
  if (typeof pattern !== 'string') return [{ path, message: 'must be the text of a regular expression' }]
  try {
    new RegExp(pattern, 'u')
    return []
  } catch (error) {
    return [{ path, message: `is not a regular expression: ${error instanceof Error ? error.message : String(error)}` }]
  }
}
