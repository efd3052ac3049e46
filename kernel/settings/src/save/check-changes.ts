import {
  findMember,
  formatPath,
  isObject,
  objectVariant,
  own,
  type SchemaNode,
  type ValuePath,
  valueAt,
} from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import type { Change } from './read-patch.js'
import { memberPlace, type Place, placeAt } from './schema-at.js'

/**
 * The problems of the changes themselves, besides those of the resulting configuration. `changed`:
 * the file's values with the changes.
 */
export function checkChanges(schema: SchemaNode, file: JsonObject, changed: JsonObject, changes: readonly Change[]): readonly Problem[] {
  return changes.flatMap(({ path, value }) => {
    if (value !== undefined) return nullsIn(placeAt(schema, path, changed), value, path)
    return valueAt(file, path) === undefined ? unknownAt(schema, path, changed) : []
  })
}

/** Null is only a value inside `extra_params`; elsewhere it would read as absent. */
function nullsIn(place: Place, value: JsonValue, path: ValuePath): readonly Problem[] {
  if (place.isLiteral) return []
  if (value === null)
    return [{ path: formatPath(path), message: 'cannot be set to null, which is only a value inside extra_params; reset it instead' }]
  if (Array.isArray(value)) {
    const item: Place = { ...place, node: place.node.items ?? {} }
    return value.flatMap((entry: JsonValue, index) => nullsIn(item, entry, [...path, index]))
  }
  if (!isObject(value)) return []
  const names = path.filter((part) => typeof part === 'string')
  return Object.entries(value).flatMap(([name, member]) => nullsIn(memberPlace(place, name, value, names), member, [...path, name]))
}

/**
 * Reports the first part of a path that the schema does not have. Paths that are in the file can be
 * reset anyway.
 */
function unknownAt(schema: SchemaNode, path: readonly string[], whole: JsonObject): readonly Problem[] {
  let node = schema
  let value: JsonValue | undefined = whole
  for (const [index, name] of path.entries()) {
    const found = findMember(objectVariant(node), name, isObject(value) ? value : {})
    if ('message' in found) return [{ path: formatPath(path.slice(0, index + 1)), message: found.message }]
    node = found.schema
    value = isObject(value) ? own(value, name) : undefined
  }
  return []
}
