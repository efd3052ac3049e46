import type { JsonValue } from '@agent-service/sdk'
import { cloneJson, declaredMember, isObject, objectVariant, type SchemaNode } from '../schema/schema-node.js'

/**
 * Fills in absent members that have a default, at every depth, also in entries of maps and lists.
 * Required objects are made from the defaults of their members. {@link resolvePaths} fills in path
 * defaults that depend on the deployment. The value is not changed.
 */
export function fillDefaults(node: SchemaNode, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return node.items ? value.map((item: JsonValue) => fillDefaults(node.items ?? {}, item)) : value
  if (!isObject(value)) return value
  const target = objectVariant(node)
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const known = declaredMember(target, name)
    return [name, known ? fillDefaults(known, member) : member]
  })
  const present = new Set(Object.keys(value))
  for (const [name, member] of Object.entries(target.properties ?? {})) {
    if (present.has(name)) continue
    const filled = defaultOf(member, (target.required ?? []).includes(name))
    if (filled !== undefined) members.push([name, filled])
  }
  return Object.fromEntries(members)
}

/** The default of an absent member; `undefined` if it stays absent. */
function defaultOf(member: SchemaNode, required: boolean): JsonValue | undefined {
  if (member.default !== undefined) return fillDefaults(member, cloneJson(member.default))
  return required && member.type === 'object' ? fillDefaults(member, {}) : undefined
}
