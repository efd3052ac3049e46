import { isObject, memberSchema, objectVariant, own, type SchemaNode } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** What the schema says about a path. */
export interface Place {
  /** Accepts anything if the schema does not have the path. */
  readonly node: SchemaNode
  /** Inside `extra_params`: strings are literal, and null is a value. */
  readonly isLiteral: boolean
  /** An entry of a map, or an object inside `extra_params`: has a meaning even if it is empty. */
  readonly isEntry: boolean
  /** If it is absent, it counts as an empty object. */
  readonly isImplied: boolean
}

const placeOfWhole = (schema: SchemaNode): Place => ({ node: schema, isLiteral: false, isEntry: false, isImplied: true })

/**
 * The place of a member. `value`: the object that it is a member of, as far as it is known, and the
 * path of that object.
 */
export function memberPlace(parent: Place, name: string, value: JsonValue | undefined, path: readonly string[]): Place {
  const target = objectVariant(parent.node)
  const node = memberSchema(target, name, value) ?? {}
  const isDeclared = own(target.properties, name) !== undefined
  return {
    node,
    isLiteral: parent.isLiteral || node['x-expand'] === 'never',
    isEntry:
      (!isDeclared && objectVariant(node).type === 'object') ||
      (parent.isLiteral && isObject(value) && isObject(own(value, name))) ||
      path.join('.') === 'plugins.settings',
    isImplied: isDeclared && (isObject(node.default) || (node.type === 'object' && (target.required ?? []).includes(name))),
  }
}

/** The place at a path of names. */
export function placeAt(schema: SchemaNode, path: readonly string[], whole: JsonObject): Place {
  let place = placeOfWhole(schema)
  let value: JsonValue | undefined = whole
  for (const [index, name] of path.entries()) {
    place = memberPlace(place, name, value, path.slice(0, index))
    value = isObject(value) ? own(value, name) : undefined
  }
  return place
}
