import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isSecret } from '../explain/secret-state.js'
import {
  environmentPrefix,
  type Finding,
  isObject,
  memberSchema,
  objectVariant,
  referencesIn,
  type SchemaNode,
  shownReferences,
  type ValuePath,
} from '../index.js'

/** What is said of references that a change brings in. */
export interface NewReferenceRules {
  /** Where secret fields are. Absent: not known yet, so that none is one. */
  readonly schema: SchemaNode | undefined
  /** Variables that hold the encryption secret. */
  readonly isReserved: (name: string) => boolean
}

interface Reference {
  readonly path: ValuePath
  readonly names: readonly string[]
  readonly isSecret: boolean
}

/**
 * Every reference of `changed` that `file` has not at the same place, and that stands where it may not: outside of secret fields, since other values are
 * shown, or to a variable that is the service's own. Places where text is literal have no references. References are looked at, never resolved.
 */
export function refusedReferences(file: JsonObject, changed: JsonObject, { schema, isReserved }: NewReferenceRules): readonly Finding[] {
  const nowhere = { secret: false, literal: false }
  const known = new Set([...referencesBelow({}, file, [], nowhere)].flatMap(({ path, names }) => names.map((name) => keyOf(path, name))))
  return [...referencesBelow(schema ?? {}, changed, [], nowhere)].flatMap(({ path, names, isSecret: secret }) => {
    const added = names.filter((name) => !known.has(keyOf(path, name)))
    const own = added.filter((name) => isReserved(name) || name.toUpperCase().startsWith(environmentPrefix))
    if (added.length === 0) return []
    if (!secret) return [{ path, message: `new references (${shownReferences(added)}) are taken in secret fields alone; ${mend}` }]
    return own.length === 0 ? [] : [{ path, message: `${shownReferences(own)} is a setting of the service itself; ${mend}` }]
  })
}

const mend = 'write the value out, or have the operator put the reference into the file or set the field by its variable'

function* referencesBelow(
  node: SchemaNode,
  value: JsonValue,
  path: ValuePath,
  around: { readonly secret: boolean; readonly literal: boolean },
): Generator<Reference> {
  const literal = node['x-expand'] === undefined ? around.literal : node['x-expand'] === 'never'
  const here = { secret: around.secret || isSecret(node), literal }
  if (typeof value === 'string') {
    const names = literal ? [] : referencesIn(value)
    if (names.length > 0) yield { path, names, isSecret: here.secret }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* referencesBelow(node.items ?? {}, item, [...path, index], here)
  } else if (isObject(value)) {
    const target = objectVariant(node)
    for (const [name, member] of Object.entries(value))
      yield* referencesBelow(memberSchema(target, name, value) ?? {}, member, [...path, name], here)
  }
}

/** Items of lists have no place of their own: what stands in one of them may stand at the same place in any. */
const keyOf = (path: ValuePath, name: string): string =>
  JSON.stringify([name, ...path.map((part) => (typeof part === 'number' ? 0 : [part]))])
