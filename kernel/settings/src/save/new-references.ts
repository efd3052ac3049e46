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

/** What is said of references that a change brings in. */
export interface NewReferenceRules {
  /** Where secret fields are. Absent: not known yet, so that none is one. */
  readonly schema: SchemaNode | undefined
  /** Variables that hold the encryption secret. */
  readonly isReserved: (name: string) => boolean
}

/**
 * Every reference of `changed` that `file` has not at the same place, and that stands where it may not: outside of secret fields, since other values are
 * shown, or to a variable that is the service's own. Places where text is literal have no references. References are looked at, never resolved.
 */
export function refusedReferences(file: JsonObject, changed: JsonObject, { schema, isReserved }: NewReferenceRules): readonly Finding[] {
  const known = new Set([...textsIn({}, file)].flatMap(({ text, path }) => referencesIn(text).map((name) => keyOf(path, name))))
  return [...textsIn(schema ?? {}, changed)].flatMap(({ text, path, isSecret, isLiteral }) => {
    const added = (isLiteral ? [] : referencesIn(text)).filter((name) => !known.has(keyOf(path, name)))
    const own = added.filter((name) => isReserved(name) || name.toUpperCase().startsWith(environmentPrefix))
    if (added.length === 0) return []
    if (!isSecret) return [{ path, message: `new references (${shownReferences(added)}) are taken in secret fields alone; ${mend}` }]
    return own.length === 0 ? [] : [{ path, message: `${shownReferences(own)} is a setting of the service itself; ${mend}` }]
  })
}

const mend = 'write the value out, or have the operator put the reference into the file or set the field by its variable'

/** Items of lists have no place of their own: what stands in one of them may stand at the same place in any. */
const keyOf = (path: ValuePath, name: string): string =>
  JSON.stringify([name, ...path.map((part) => (typeof part === 'number' ? 0 : [part]))])
