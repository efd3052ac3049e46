import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type Examination,
  expandReferences,
  fillDefaults,
  isObject,
  own,
  pathKey,
  resolvePaths,
  type SchemaNode,
  valueAt,
} from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { YamlOperation } from '../edit/edit-yaml.js'
import type { Change } from './read-patch.js'
import { memberPlace, type Place, placeAt } from './schema-at.js'

type Mutable = Record<string, JsonValue>

/** The file's values with every change, including values that equal their defaults. */
export function withChanges(file: JsonObject, changes: readonly Change[]): JsonObject {
  const whole = structuredClone(file) as Mutable
  for (const { path, value } of changes) {
    if (value === undefined) removeAt(whole, path)
    else setAt(whole, path, value)
  }
  return whole
}

/**
 * The operations of a save: the changes without values that equal their defaults, and without
 * objects that become empty.
 */
export function planChange(file: JsonObject, changes: readonly Change[], examination: Examination): readonly YamlOperation[] {
  const { schema } = examination
  const defaultAt = defaultsFor(file, changes, examination)
  const changed = withChanges(file, changes)
  const target = structuredClone(file) as Mutable
  for (const { path, value } of changes) {
    const kept = value === undefined ? undefined : withoutDefaults(placeAt(schema, path, changed), path, value, defaultAt)
    if (kept === undefined) removeWithEmptied(target, path, schema)
    else setAt(target, path, kept)
    if (value !== undefined && kept === undefined) makeEntries(target, path, schema)
  }
  return difference(file, target, [])
}

/** A value without members that equal their defaults; `undefined` if all of it does. */
function withoutDefaults(
  place: Place,
  path: readonly string[],
  value: JsonValue,
  defaultAt: (path: readonly string[], value: JsonValue, node: SchemaNode) => boolean,
): JsonValue | undefined {
  if (!isObject(value)) return defaultAt(path, value, place.node) ? undefined : value
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const kept = withoutDefaults(memberPlace(place, name, value, path), [...path, name], member, defaultAt)
    return kept === undefined ? [] : [[name, kept]]
  })
  return members.length === 0 && place.isImplied && !place.isEntry ? undefined : Object.fromEntries(members)
}

/**
 * Whether a value is the one that would apply at a path without the file: the catalogue's default,
 * else the built-in one. Ignores variables that set fields; compares a path by the folder that it
 * leads to.
 */
function defaultsFor(
  file: JsonObject,
  changes: readonly Change[],
  { schema, environment, bases, catalogueDefaults }: Examination,
): (path: readonly string[], value: JsonValue, node: SchemaNode) => boolean {
  const bare = structuredClone(file) as Mutable
  for (const { path, value } of changes) {
    removeAt(bare, path)
    if (value === undefined) continue
    if (isObject(value)) setAt(bare, path, objectsOf(value))
    else if (path.length > 1) makeObjects(bare, path.slice(0, -1))
  }
  const filled = resolvePaths(schema, asObject(fillDefaults(schema, expandReferences(schema, bare, environment).value)), bases)
  const fromCatalogue = new Map(catalogueDefaults.map((entry) => [pathKey(entry.path), entry.value]))
  return (path, value, node) => {
    if (node['x-written'] === true) return false
    const known = fromCatalogue.get(pathKey(path)) ?? valueAt(filled, path)
    const isPath = node['x-path'] === true || node['x-default-path'] !== undefined
    const meant = isPath && typeof value === 'string' && value !== '' ? resolve(bases.workingDirectory, value) : value
    return known !== undefined && isDeepStrictEqual(meant, known)
  }
}

/** An object with only its nested objects. */
const objectsOf = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (isObject(member) ? [[name, objectsOf(member)]] : [])))

function setAt(whole: Mutable, path: readonly string[], value: JsonValue): void {
  makeObjects(whole, path.slice(0, -1))[path.at(-1) ?? ''] = value
}

/** The object at a path; replaces other values on the way by objects. */
function makeObjects(whole: Mutable, path: readonly string[]): Mutable {
  let holder = whole
  for (const name of path) {
    const inner = own(holder, name)
    const next: JsonObject = isObject(inner) ? inner : {}
    holder[name] = next
    holder = next as Mutable
  }
  return holder
}

function removeAt(whole: Mutable, path: readonly string[]): boolean {
  const holder = valueAt(whole, path.slice(0, -1))
  const name = path.at(-1) ?? ''
  return isObject(holder) && Object.hasOwn(holder, name) && delete (holder as Mutable)[name]
}

/** Removes a member and every object that becomes empty, up to an entry of a map. */
function removeWithEmptied(whole: Mutable, path: readonly string[], schema: SchemaNode): void {
  if (!removeAt(whole, path)) return
  const above = path.slice(0, -1)
  const holder = valueAt(whole, above)
  if (above.length > 0 && isObject(holder) && Object.keys(holder).length === 0 && !placeAt(schema, above, whole).isEntry)
    removeWithEmptied(whole, above, schema)
}

/**
 * Creates the entries of maps on a path: a present entry has a meaning even if it only has
 * defaults.
 */
function makeEntries(whole: Mutable, path: readonly string[], schema: SchemaNode): void {
  const entry = path.findLastIndex((_name, index) => placeAt(schema, path.slice(0, index + 1), whole).isEntry)
  if (entry >= 0) makeObjects(whole, path.slice(0, entry + 1))
}

/**
 * Operations that turn one object into another, member by member: sets come first, so that no
 * object is empty on the way.
 */
function difference(from: JsonObject, to: JsonObject, path: readonly string[]): readonly YamlOperation[] {
  const set = Object.entries(to).flatMap(([name, value]): readonly YamlOperation[] => {
    const before = own(from, name)
    const at = [...path, name]
    const byMember = isObject(before) && isObject(value) && Object.keys(value).length > 0
    if (byMember) return difference(before, value, at)
    return isDeepStrictEqual(before, value) ? [] : [{ kind: 'set', path: at, value }]
  })
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name))
  return [...set, ...gone.map((name): YamlOperation => ({ kind: 'remove', path: [...path, name] }))]
}

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {})
