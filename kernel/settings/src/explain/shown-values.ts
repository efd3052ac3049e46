import {
  type Examination,
  isObject,
  isSecret,
  memberSchema,
  objectVariant,
  own,
  pathKey,
  type SchemaNode,
  sourceIn,
  takesAnything,
  type ValuePath,
  type ValueSource,
  valueAt,
} from '@agent-service/kernel-core/config'
import { isSecretName } from '@agent-service/kernel-core/log'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { secretState } from './secret-state.js'

/**
 * The effective values, nested like the file, with every secret, also an unset one, as its
 * `SecretState`.
 */
export function effectiveValues(examination: Examination): JsonObject {
  const { evaluation, schema } = examination
  return asObject(show(schema, evaluation.sound, [], effectiveIn(examination)))
}

/**
 * The values in the file, as they are written there, with every secret as its `SecretState`.
 * References stay as they are.
 */
export function savedValues(examination: Examination): JsonObject {
  return asObject(show(examination.schema, examination.file.value, [], savedIn(examination)))
}

/**
 * One effective or saved value as it may be shown, by its schema. A secret may be absent: its state
 * says so.
 */
export const shownValue = (
  node: SchemaNode,
  value: JsonValue | undefined,
  path: ValuePath,
  examination: Examination,
  which: 'effective' | 'saved',
): JsonValue => show(node, value, path, which === 'saved' ? savedIn(examination) : effectiveIn(examination))

interface Showing {
  readonly examination: Examination
  /** Whether secrets that are not set are included. */
  readonly withUnset: boolean
  /** Whether the value at a path comes from a variable that the file refers to. */
  isResolved(path: ValuePath): boolean
  sourceOf(path: ValuePath): ValueSource
  writtenAt(path: ValuePath): JsonValue | undefined
}

const effectiveIn = (examination: Examination): Showing => {
  const sourceOf = (path: ValuePath): ValueSource => sourceIn(examination.evaluation, path)
  return {
    examination,
    withUnset: true,
    isResolved: (path) => examination.evaluation.references.has(pathKey(path)) && sourceOf(path) === 'file',
    sourceOf,
    writtenAt: (path) => (sourceOf(path) === 'file' ? valueAt(examination.file.value, path) : undefined),
  }
}

const savedIn = (examination: Examination): Showing => ({
  examination,
  withUnset: false,
  isResolved: () => false,
  sourceOf: () => 'file',
  writtenAt: (path) => valueAt(examination.file.value, path),
})

function show(node: SchemaNode, value: JsonValue | undefined, path: ValuePath, showing: Showing): JsonValue {
  if (isSecret(node)) return stateAt(node, value, path, showing)
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => show(node.items ?? {}, item, [...path, index], showing))
  if (isObject(value)) return showObject(objectVariant(node), value, path, showing)
  // Text instead of an object may be a secret in the wrong place.
  if (value === undefined) return null
  // Without a schema, a reference suggests a secret: its plugin may have been removed.
  if (takesAnything(node) && typeof value === 'string' && showing.isResolved(path)) return stateAt(node, value, path, showing)
  return typeof value === 'string' && objectVariant(node).type === 'object' ? stateAt(node, value, path, showing) : value
}

function showObject(node: SchemaNode, value: JsonObject, path: ValuePath, showing: Showing): JsonObject {
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const known = memberSchema(node, name, value)
    const at = [...path, name]
    if (known === undefined) return [name, hidden(member, at, showing)]
    // Without a schema for the member, its name decides.
    if (takesAnything(known) && typeof member === 'string' && isSecretName(name)) return [name, stateAt(known, member, at, showing)]
    return [name, show(known, member, at, showing)]
  })
  const unset = showing.withUnset
    ? Object.entries(node.properties ?? {}).filter(([name, member]) => isSecret(member) && own(value, name) === undefined)
    : []
  return Object.fromEntries([
    ...members,
    ...unset.map(([name, member]): [string, JsonValue] => [name, stateAt(member, undefined, [...path, name], showing)]),
  ])
}

/** The value of an unknown key: it may be a secret whose name was mistyped. */
function hidden(value: JsonValue, path: ValuePath, showing: Showing): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => hidden(item, [...path, index], showing))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member, [...path, name], showing)]))
  return typeof value === 'string' ? stateAt({}, value, path, showing) : value
}

const stateAt = (node: SchemaNode, value: JsonValue | undefined, path: ValuePath, showing: Showing): JsonValue =>
  secretState(node, {
    value,
    written: showing.writtenAt(path),
    source: showing.sourceOf(path),
    environment: showing.examination.environment,
  })

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {})
