import {
  environmentPrefix,
  type Finding,
  referencesIn,
  type SchemaNode,
  shownReferences,
  textsIn,
  type ValuePath,
} from '@agent-service/kernel-core/config'
import type { JsonObject } from '@agent-service/sdk'

/** The rules for references that a change adds. */
export interface NewReferenceRules {
  /** The schema that marks secret fields. Absent: not known yet, so no field counts as secret. */
  readonly schema: SchemaNode | undefined
  /** Variables that hold the encryption secret. */
  readonly isReserved: (name: string) => boolean
}

/**
 * Every reference in `changed` that `file` does not have at the same path and that is not allowed:
 * outside of secret fields, since other values are shown, or to a variable of the service itself.
 * Literal texts have no references. References are never resolved here.
 */
export function refusedReferences(file: JsonObject, changed: JsonObject, { schema, isReserved }: NewReferenceRules): readonly Finding[] {
  const known = new Set([...textsIn({}, file)].flatMap(({ text, path }) => referencesIn(text).map((name) => keyOf(path, name))))
  return [...textsIn(schema ?? {}, changed)].flatMap(({ text, path, isSecret, isLiteral }) => {
    const added = (isLiteral ? [] : referencesIn(text)).filter((name) => !known.has(keyOf(path, name)))
    const own = added.filter((name) => isReserved(name) || name.toUpperCase().startsWith(environmentPrefix))
    if (added.length === 0) return []
    if (!isSecret) return [{ path, message: `new references (${shownReferences(added)}) are accepted only in secret fields; ${mend}` }]
    return own.length === 0 ? [] : [{ path, message: `${shownReferences(own)} is a setting of the service itself; ${mend}` }]
  })
}

const mend = 'write the value itself, or ask the operator to put the reference into the file or to set the field by its variable'

/**
 * The index of a list item does not count: a reference in one item may be at the same path in any
 * item.
 */
const keyOf = (path: ValuePath, name: string): string =>
  JSON.stringify([name, ...path.map((part) => (typeof part === 'number' ? 0 : [part]))])
