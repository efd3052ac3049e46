import { isObject, memberSchema, objectVariant, own, type SchemaNode } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** What the schema says of a place. */
export interface Place {
  /** Accepts anything where the schema knows nothing. */
  readonly node: SchemaNode
  /** Strings are taken as they are, and null is a value: inside `extra_params`. */
  readonly isLiteral: boolean
  /** An entry of a map, or an object inside of `extra_params`: being there means something, also when it is empty. */
  readonly isEntry: boolean
  /** What is not there counts as an empty object here. */
  readonly isImplied: boolean
}

const placeOfWhole = (schema: SchemaNode): Place => ({ node: schema, isLiteral: false, isEntry: false, isImplied: true })

/** The place of a member. `value`: the object that it is a member of, as far as it is known, and the path of that object. */
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
