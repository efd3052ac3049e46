import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { pathKey, type ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { isObject, isUnset, memberSchema, objectVariant, type SchemaNode } from '../schema/schema-node.js'
import { convertText } from './convert-text.js'
import { encryptionVariables, reservedReferences } from './encryption-variables.js'
import { hasMalformedReference, referencesIn, shownReferences, withReferences } from './references.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable's value; an empty one counts as unset. */
export const variableValue = (environment: Environment, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] || undefined : undefined

export interface Expanded {
  readonly value: JsonObject
  readonly findings: readonly Finding[]
  readonly warnings: readonly string[]
  /** The variables in a value, by {@link pathKey}. */
  readonly references: ReadonlyMap<string, readonly string[]>
}

/**
 * Replaces every reference, once: references in the value of a variable are not replaced. A missing
 * variable is empty.
 */
export const replaceReferences = (text: string, environment: Environment): string =>
  withReferences(text, (name) => variableValue(environment, name) ?? '')

interface Walk {
  readonly environment: Environment
  /** The variables of the encryption secret, which no other field may refer to. */
  readonly isReserved: (name: string) => boolean
  readonly findings: Finding[]
  readonly warnings: string[]
  readonly references: Map<string, readonly string[]>
}

const unset = Symbol('unset')

/**
 * Replaces `${NAME}` in the strings of the file and reads each result by its field's type. Also
 * normalizes the file: a section or map entry without content becomes an empty one, and an empty
 * optional text becomes unset. A reference to the encryption secret's variable outside that secret
 * is a finding and counts as unset.
 */
export function expandReferences(schema: SchemaNode, file: JsonObject, environment: Environment): Expanded {
  const walk: Walk = { environment, isReserved: encryptionVariables(file), findings: [], warnings: [], references: new Map() }
  const value = expandObject(schema, file, [], walk)
  return { value, findings: walk.findings, warnings: walk.warnings, references: walk.references }
}

function expand(node: SchemaNode, value: JsonValue, path: ValuePath, walk: Walk, optional: boolean): JsonValue | typeof unset {
  if (value === null && node.type === 'object') return {}
  if (node['x-expand'] === 'never') {
    refuseReserved(value, path, walk)
    return value
  }
  if (value === null) return node.type === 'array' && optional ? unset : null
  if (typeof value === 'string') return expandText(node, value, path, walk, optional)
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => {
      const expanded = expand(node.items ?? {}, item, [...path, index], walk, false)
      return expanded === unset ? '' : expanded
    })
  return isObject(value) ? expandObject(node, value, path, walk) : value
}

function expandObject(node: SchemaNode, value: JsonObject, path: ValuePath, walk: Walk): JsonObject {
  const target = objectVariant(node)
  const members: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(value)) {
    const known = memberSchema(target, name, value) ?? {}
    const inherited = node['x-expand'] && !known['x-expand'] ? { ...known, 'x-expand': node['x-expand'] } : known
    const optional = isUnset(target, name, known) || known.default !== undefined
    const expanded = expand(inherited, member, [...path, name], walk, optional)
    if (expanded !== unset) members.push([name, expanded])
  }
  return Object.fromEntries(members)
}

function expandText(node: SchemaNode, text: string, path: ValuePath, walk: Walk, optional: boolean): JsonValue | typeof unset {
  const { environment, findings, references, warnings } = walk
  if (text !== '' && !text.includes('${')) return text
  if (hasMalformedReference(text)) {
    findings.push({
      path,
      message: 'contains “${” that is not a reference; only ${NAME} is replaced, with letters, digits and underscores',
    })
    return text
  }
  const isText = node.type === 'string' || (node.anyOf?.some((variant) => variant.type === 'string') ?? false)
  const nothing = isText && optional && node.default === undefined ? unset : ''
  const names = referencesIn(text)
  if (names.length === 0) return text === '' ? nothing : text
  if (refuseReserved(text, path, walk)) return unset
  const missing = names.filter((name) => variableValue(environment, name) === undefined)
  references.set(pathKey(path), names)
  if (node['x-expand'] === 'at-use') {
    for (const name of missing) warnings.push(`${name} is not set; features that need it fail until it is`)
    return text
  }
  const expanded = replaceReferences(text, environment)
  if (expanded === '') {
    if (isText) return nothing
    findings.push({ path, message: `${missing.join(', ') || 'the text'} is not set, but this field needs a value` })
    return unset
  }
  const converted = convertText(node, expanded)
  if ('value' in converted) return converted.value
  // The text may be a misplaced secret, so it is not shown.
  findings.push({
    path,
    message: `must be ${converted.expected}; the value of ${shownReferences(names)} is not`,
  })
  return unset
}

/**
 * Reports every reference to a variable of the encryption secret in a value; literal text counts
 * too, since it could be read as one later.
 */
function refuseReserved(value: JsonValue, path: ValuePath, { findings, isReserved }: Walk): boolean {
  const refused = reservedReferences(value, path, isReserved)
  findings.push(...refused)
  return refused.length > 0
}
