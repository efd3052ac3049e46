import {
  convertText,
  type Examination,
  isObject,
  memberSchema,
  objectVariant,
  own,
  parsePath,
  referencesIn,
  type SchemaNode,
} from '@agent-service/kernel-core/config'
import { explainFields } from '@agent-service/kernel-settings/explain'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { nearest } from '@agent-service/sdk/host'

/** The values to set, by path, or what is wrong with the arguments. */
export type Assignments = { readonly values: Readonly<Record<string, JsonValue>> } | { readonly problem: string }

/**
 * Reads `path value path value …`: each value as its field's type, with `${NAME}` kept as it is.
 */
export function readAssignments(words: readonly string[], examination: Examination): Assignments {
  if (words.length % 2 !== 0) return { problem: `“${words.at(-1) ?? ''}” has no value: each path needs one.` }
  // Earlier values decide what later ones may be: the settings of a group depend on its api.
  let whole: JsonObject = examination.evaluation.sound
  const values: Record<string, JsonValue> = {}
  for (let index = 0; index < words.length; index += 2) {
    const [path = '', text = ''] = words.slice(index, index + 2)
    if (Object.hasOwn(values, path)) return { problem: `“${path}” is given twice.` }
    const keys = parsePath(path)?.map(String) ?? []
    const field = keys.length === 0 ? undefined : fieldAt(examination.schema, whole, keys)
    if (field === undefined) return { problem: unknownPath(path, examination) }
    const asReference = !field.literal && referencesIn(text).length > 0
    const converted = asReference ? { value: text } : convertText(field.node, text)
    if ('expected' in converted) return { problem: `${path}: must be ${converted.expected}.` }
    values[path] = converted.value
    whole = withValue(whole, keys, converted.value)
  }
  return { values }
}

/** The message for a path that is not a field, with the nearest one that is. */
export function unknownPath(path: string, examination: Examination): string {
  const near = nearest(path, explainFields(examination)?.map((field) => field.path) ?? [])
  return `“${path}” is not a configuration field${near === undefined ? '.' : `; did you mean “${near}”?`}`
}

interface FieldSchema {
  readonly node: SchemaNode
  /** `${NAME}` is not a reference here. */
  readonly literal: boolean
}

function fieldAt(schema: SchemaNode, values: JsonObject, keys: readonly string[]): FieldSchema | undefined {
  let field: FieldSchema = { node: schema, literal: false }
  let value: JsonValue | undefined = values
  for (const key of keys) {
    const members: JsonObject | undefined = isObject(value) ? value : undefined
    const target = objectVariant(field.node)
    const node = target.type === undefined || target.type === 'object' ? memberSchema(target, key, members) : undefined
    if (node === undefined) return undefined
    field = { node, literal: node['x-expand'] === undefined ? field.literal : node['x-expand'] === 'never' }
    value = members && own(members, key)
  }
  return field
}

function withValue(whole: JsonObject, [key = '', ...deeper]: readonly string[], value: JsonValue): JsonObject {
  const inner = own(whole, key)
  return { ...whole, [key]: deeper.length === 0 ? value : withValue(isObject(inner) ? inner : {}, deeper, value) }
}
