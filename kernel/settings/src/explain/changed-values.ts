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

/** What a change of the file does, by dotted path, as it may be noted. What the file does not have is null. */
export interface ChangedValues {
  readonly before: JsonObject
  /** Of a secret `set`, `changed` or `cleared`, or the references that stand in its place. */
  readonly after: JsonObject
}

/** What stands at one path of the file, and what the schema knows of it; no schema where a key is unknown. */
interface Side {
  readonly node: SchemaNode | undefined
  readonly value: JsonValue | undefined
}

/**
 * The values in which two states of the file differ. No secret is among them: neither what the schema marks as
 * one, nor what a key that nobody knows or whose name sounds like one holds, nor the password of an address.
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

/** Whether its members are looked at one by one. */
const isTree = ({ node, value }: Side): boolean => (value === undefined || isObject(value)) && !(node !== undefined && isSecret(node))

const namesOf = (value: JsonValue | undefined): readonly string[] => (isObject(value) ? Object.keys(value) : [])

/** `other` is the other state, which decides at an open place whose members these are while this one has nothing there. */
const memberOf = ({ node, value }: Side, name: string, other: JsonValue | undefined): Side => ({
  node: node && memberSchema(objectVariant(node), name, value ?? other),
  value: isObject(value) ? own(value, name) : undefined,
})

function hidesAt({ node, value }: Side, path: ValuePath): boolean {
  if (node === undefined || isSecret(node)) return true
  if (typeof value !== 'string') return false
  // Text where an object belongs may be a secret that was put in the wrong place.
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

/** What is said of a secret: the references in its place, else that there is one. */
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
