import { isDeepStrictEqual } from 'node:util'
import { formatPath, isObject, own } from '@agent-service/kernel-core/config'
import { type ParsedYaml, parseYaml } from '@agent-service/kernel-core/config/yaml'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import { type Change, insertMember, setValue } from './change-member.js'
import { findMember, type Refusal, refusedValue } from './find-member.js'
import { removeMember } from './remove-member.js'
import { membersOf, readTree, writeTree, type YamlTree } from './yaml-tree.js'

/** A file's text and its parsed value. */
export interface Source extends ParsedYaml {
  /** Without its byte order mark. */
  readonly text: string
  readonly mark: '' | '\ufeff'
}

/** One change of a text, at a path of keys. */
export type YamlOperation =
  | { readonly kind: 'set'; readonly path: readonly string[]; readonly value: JsonValue }
  /** A missing member is ignored. An object that loses its last member becomes `{}`. */
  | { readonly kind: 'remove'; readonly path: readonly string[] }

/** Why a text cannot be parsed or changed. */
export interface Failed {
  readonly problems: readonly Problem[]
}

/** Parses a text that may be changed. */
export function openYaml(text: string): Source | Failed {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  return parseSource(text.slice(mark.length), mark)
}

/** The complete text, with its byte order mark. */
export const textOf = ({ mark, text }: Source): string => mark + text

/**
 * Changes a YAML text only at the paths of the operations, in their order: every other line stays
 * as it is, byte for byte. The new text is parsed again and must have the old value with these
 * changes. Setting the current value changes nothing.
 *
 * A path inside an alias, a tagged value, a value that is used elsewhere by its anchor, a merge key
 * or a complex key is refused with its line. Pure.
 */
export function editYaml(source: Source, operations: readonly YamlOperation[]): Source | Failed {
  const [first, ...rest] = operations
  if (!first) return source
  if (rest.length === 0) return applyOne(source, first)
  // All at once if they do not overlap, since each parsing takes time; otherwise in two halves,
  // down to one at a time.
  const together = areApart(operations) ? applyBest(source, operations, 0) : 'none'
  if (together !== 'none' && !('refused' in together)) return together
  const half = Math.ceil(operations.length / 2)
  const changed = editYaml(source, operations.slice(0, half))
  return 'problems' in changed ? changed : editYaml(changed, operations.slice(half))
}

/** True if no path equals or begins another one. */
function areApart(operations: readonly YamlOperation[]): boolean {
  const paths = operations.map(({ path }) => `${JSON.stringify(path).slice(0, -1)},`).sort()
  return paths.every((path, index) => index === 0 || !path.startsWith(paths[index - 1] ?? ''))
}

function parseSource(text: string, mark: Source['mark']): Source | Failed {
  const parsed = parseYaml(text)
  return 'problems' in parsed ? parsed : { ...parsed, text, mark }
}

function applyOne(source: Source, operation: YamlOperation): Source | Failed {
  const refuse = (message: string, place: string | undefined): Failed => ({
    problems: [{ path: formatPath(operation.path), message: place === undefined ? message : `${message} (${place})` }],
  })
  for (let way = 0; way < 3; way++) {
    const changed = applyBest(source, [operation], way)
    if (changed === 'none') continue
    if (!('refused' in changed)) return changed
    return refuse(changed.refused, changed.at === undefined ? undefined : source.placeAt(changed.at))
  }
  return refuse('cannot be changed without changing other values; edit the file by hand', source.positionOf(operation.path, 'key'))
}

/**
 * The text with the operations, each applied in its way of that rank, if it then has the expected
 * value and can be stored.
 */
function applyBest(source: Source, operations: readonly YamlOperation[], rank: number): Source | Refusal | 'none' {
  const tree = readTree(source.text)
  for (const operation of operations) {
    if (isDeepStrictEqual(changedValue(source.value, operation), source.value)) continue
    const ways = waysTo(tree, operation)
    if ('refused' in ways) return ways
    const change = ways[rank]
    if (!change) return 'none'
    change()
  }
  const changed = parseSource(writeTree(tree), source.mark)
  const isExpected = !('problems' in changed) && isDeepStrictEqual(changed.value, operations.reduce(changedValue, source.value))
  return isExpected && isWellFormed(changed.text) ? changed : 'none'
}

/** Ways to apply an operation, the best first. */
function waysTo(tree: YamlTree, operation: YamlOperation): readonly Change[] | Refusal {
  const found = findMember(tree, operation.path)
  if ('refused' in found) return found
  if (found.kind !== 'member') return operation.kind === 'set' ? insertMember(tree, found, operation.value) : []
  const { map, member, holder, around } = found
  if (operation.kind === 'set') return refusedValue(tree, member) ?? setValue(tree, map, member, operation.value)
  // An empty block would be no value rather than an empty object.
  if (holder && around && map.type === 'block-map' && membersOf(map).length === 1)
    return refusedValue(tree, holder) ?? setValue(tree, around, holder, {})
  return removeMember(tree, map, member)
}

/** The values with one change. A null instead of an object counts as an empty one. */
function changedValue(value: JsonObject, operation: YamlOperation): JsonObject {
  const [name = '', ...rest] = operation.path
  const member = own(value, name)
  if (rest.length === 0) {
    if (operation.kind === 'set') return withMember(value, name, operation.value)
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  const inner = { ...operation, path: rest }
  if (isObject(member)) return withMember(value, name, changedValue(member, inner))
  return operation.kind === 'remove' ? value : withMember(value, name, changedValue({}, inner))
}

const withMember = (value: JsonObject, name: string, member: JsonValue): JsonObject => ({ ...value, [name]: member })

/** False for a text that UTF-8 cannot encode. */
const isWellFormed = (text: string): boolean => Buffer.from(text, 'utf8').toString('utf8') === text
