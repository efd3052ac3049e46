import type { ValuePath } from './dotted-path.js'
import { isOpen, isSecret, own, patternOf, type SchemaNode } from './schema-node.js'

/**
 * Whether everything that can be set or reset at a path is harmless by the schema (`x-harmless`):
 * an object by each of its members. Denies first: false for a secret, for an object that takes
 * members which the schema does not name, and for a path that it does not have.
 */
export function isHarmlessAt(schema: SchemaNode, path: ValuePath): boolean {
  let places: readonly SchemaNode[] = [schema]
  for (const name of path) {
    if (typeof name === 'number') return false
    places = places.flatMap((place) => membersNamed(place, name))
  }
  return places.length > 0 && places.every(isHarmless)
}

/** Whatever a member may be: which variant an object has chosen is not looked at. */
function membersNamed(node: SchemaNode, name: string): readonly SchemaNode[] {
  if (node.anyOf) return node.anyOf.flatMap((variant) => membersNamed(variant, name))
  const declared = own(node.properties, name)
  if (declared) return [declared]
  const found = [
    ...Object.entries(node.patternProperties ?? {}).flatMap(([pattern, member]) => (patternOf(pattern).test(name) ? [member] : [])),
    ...Object.values(node['x-extensions'] ?? {}).flatMap((extension) => own(extension.properties, name) ?? []),
  ]
  if (found.length > 0) return found
  if (typeof node.additionalProperties === 'object') return [node.additionalProperties]
  return isOpen(node) ? [{}] : []
}

function isHarmless(node: SchemaNode): boolean {
  if (isSecret(node)) return false
  const members = [
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.patternProperties ?? {}),
    ...Object.values(node['x-extensions'] ?? {}).flatMap((extension) => Object.values(extension.properties ?? {})),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ]
  if (members.length > 0) return !takesUnnamed(node) && members.every(isHarmless)
  if (node['x-harmless'] === true) return true
  return node.anyOf?.every(isHarmless) ?? false
}

const takesUnnamed = (node: SchemaNode): boolean => typeof node.additionalProperties !== 'object' && isOpen(node)
