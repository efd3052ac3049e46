import { isDeepStrictEqual } from 'node:util'
import {
  formatPath,
  isObject,
  isSecret,
  memberSchema,
  objectVariant,
  own,
  referencesIn,
  type SchemaNode,
  takesAnything,
  type ValuePath,
} from '@agent-service/kernel-core/config'
import { isSecretName } from '@agent-service/kernel-core/log'
import type { JsonObject, JsonValue } from '@agent-service/sdk'

/**
 * The values that a change of the file affects, by dotted path, in a form for the audit log. Absent
 * values are null.
 */
export interface ChangedValues {
  readonly before: JsonObject
  /** For a secret `set`, `changed` or `cleared`, or its references. */
  readonly after: JsonObject
}

/** The value at one path of the file, with its schema; no schema if the key is unknown. */
interface Side {
  readonly node: SchemaNode | undefined
  readonly value: JsonValue | undefined
}

/**
 * The values in which two states of the file differ, without secrets: values that the schema marks
 * as secret, values of unknown keys or of keys whose name sounds like a secret, and passwords in
 * URLs.
 */
export function changedValues(schema: SchemaNode, before: JsonObject, after: JsonObject): ChangedValues {
  const found: { readonly before: Record<string, JsonValue>; readonly after: Record<string, JsonValue> } = { before: {}, after: {} }
  collect({ node: schema, value: before }, { node: schema, value: after }, [], found)
  return found
}

function collect(
  before: Side,
  after: Side,
  path: ValuePath,
  found: { readonly before: Record<string, JsonValue>; readonly after: Record<string, JsonValue> },
): void {
  if (isDeepStrictEqual(before.value, after.value)) return
  if (isTree(before) && isTree(after)) {
    for (const name of new Set([...namesOf(before.value), ...namesOf(after.value)]))
      collect(memberOf(before, name, after.value), memberOf(after, name, before.value), [...path, name], found)
    return
  }
  const name = formatPath(path)
  const hides = hidesAt(before, path) || hidesAt(after, path)
  found.before[name] = hides ? secretWord(before) : shown(before)
  found.after[name] = hides ? newSecretWord(before, after) : shown(after)
}

/** Whether its members are compared one by one. */
const isTree = ({ node, value }: Side): boolean => (value === undefined || isObject(value)) && !(node !== undefined && isSecret(node))

const namesOf = (value: JsonValue | undefined): readonly string[] => (isObject(value) ? Object.keys(value) : [])

/**
 * `other` is the other state: if this one is absent, it decides which variant of an open place the
 * members belong to.
 */
const memberOf = ({ node, value }: Side, name: string, other: JsonValue | undefined): Side => ({
  node: node && memberSchema(objectVariant(node), name, value ?? other),
  value: isObject(value) ? own(value, name) : undefined,
})

function hidesAt({ node, value }: Side, path: ValuePath): boolean {
  if (node === undefined || isSecret(node)) return true
  if (typeof value !== 'string') return false
  // Text instead of an object may be a secret in the wrong place.
  return objectVariant(node).type === 'object' || (takesAnything(node) && isSecretName(String(path.at(-1) ?? '')))
}

function shown({ node, value }: Side): JsonValue {
  if (value === undefined) return null
  if (typeof value === 'string') return withoutPassword(value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => shownWithin(node?.items ?? {}, item, ''))
  return isObject(value) ? shownMembers(node ?? {}, value) : value
}

const shownMembers = (node: SchemaNode, value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shownWithin(memberSchema(objectVariant(node), name, value), member, name)]),
  )

const shownWithin = (node: SchemaNode | undefined, value: JsonValue, name: string): JsonValue =>
  hidesAt({ node, value }, [name]) ? secretWord({ node, value }) : shown({ node, value })

const isEmpty = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === ''

/** The word for a secret: its references, or that it is set. */
function secretWord({ node, value }: Side): JsonValue {
  if (isEmpty(value)) return null
  const names = typeof value === 'string' && node?.['x-expand'] !== 'never' ? referencesIn(value) : []
  return names.length === 0 ? 'set' : names.map((name) => `\${${name}}`).join(', ')
}

function newSecretWord(before: Side, after: Side): JsonValue {
  const [was, is] = [secretWord(before), secretWord(after)]
  if (is === null) return was === null ? null : 'cleared'
  return is === 'set' && was === 'set' ? 'changed' : is
}

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const { username, password } = new URL(text)
  return username === '' && password === '' ? text : text.replace(/\/\/[^/?#]*@/, '//…@')
}
