import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import { formatPath, isObject, own } from '../index.js'
import { parseYamlSource } from '../yaml.js'
import { findPath, type Refusal } from './find-path.js'
import { insertMember } from './insert-member.js'
import { removeMember } from './remove-member.js'
import { setValue } from './set-value.js'
import { applyEdits, areApart, type TextEdit } from './text-edits.js'
import { isFlow, pairsOf, type Source } from './yaml-nodes.js'

/** One change of a text, at a path of keys. */
export type YamlOperation =
  | { readonly kind: 'set'; readonly path: readonly string[]; readonly value: JsonValue }
  /** A member that is not there is passed over. An object that loses its last member becomes `{}`. */
  | { readonly kind: 'remove'; readonly path: readonly string[] }

/** Why a text cannot be parsed, or not be changed. */
export interface Failed {
  readonly problems: readonly Problem[]
}

/** Parses a text that may be changed. */
export function openYaml(text: string): Source | Failed {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  return parseSource(text.slice(mark.length), mark)
}

/** The whole text. */
export const textOf = ({ mark, text }: Source): string => mark + text

/**
 * Changes a YAML text at the paths of the operations, in their order, and nowhere else: every other line stays as it is, byte for byte. The new text is
 * parsed again and must mean what the old one meant, with these changes. A set of the value that is there changes nothing.
 *
 * A path that lies in an alias, something tagged, something that other places use by its anchor, a merge key or behind a complex key is refused with
 * its line. Pure.
 */
export function spliceYaml(source: Source, operations: readonly YamlOperation[]): Source | Failed {
  const [first, ...rest] = operations
  if (!first) return source
  if (rest.length === 0) return applyOne(source, first)
  // All at once where they do not meet, since each parsing takes its time; else in two halves, down to one at a time.
  const together = applyTogether(source, operations)
  if (together) return together
  const half = Math.ceil(operations.length / 2)
  const changed = spliceYaml(source, operations.slice(0, half))
  return 'problems' in changed ? changed : spliceYaml(changed, operations.slice(half))
}

function applyTogether(source: Source, operations: readonly YamlOperation[]): Source | undefined {
  const edits: TextEdit[] = []
  for (const operation of operations) {
    const ways = waysTo(source, operation)
    if ('refused' in ways) return undefined
    edits.push(...(ways[0] ?? []))
  }
  if (areApart(edits)) return changedBy(source, edits, operations.reduce(changedValue, source.value))
  return undefined
}

function parseSource(text: string, mark: Source['mark']): Source | Failed {
  const parsed = parseYamlSource(text)
  return 'problems' in parsed ? parsed : { ...parsed, text, mark }
}

function applyOne(source: Source, operation: YamlOperation): Source | Failed {
  const expected = changedValue(source.value, operation)
  const ways = waysTo(source, operation)
  const refuse = (message: string): Failed => ({ problems: [{ path: formatPath(operation.path), message }] })
  if ('refused' in ways) return refuse(ways.refused)
  for (const edits of ways) {
    const changed = changedBy(source, edits, expected)
    if (changed) return changed
  }
  const place = source.positionOf(operation.path, 'key')
  return refuse(`cannot be changed without changing something else; edit the file by hand${place === undefined ? '' : ` (${place})`}`)
}

/** The text with the edits, when it then means what is expected and can be stored. */
function changedBy(source: Source, edits: readonly TextEdit[], expected: JsonObject): Source | undefined {
  const changed = parseSource(applyEdits(source.text, edits), source.mark)
  return !('problems' in changed) && isDeepStrictEqual(changed.value, expected) && isWellFormed(changed.text) ? changed : undefined
}

/** Ways to do an operation, the best first; one without edits where there is nothing to do. */
function waysTo(source: Source, operation: YamlOperation): readonly (readonly TextEdit[])[] | Refusal {
  if (isDeepStrictEqual(changedValue(source.value, operation), source.value)) return [[]]
  const found = findPath(source, operation.path)
  if ('refused' in found) return found
  if (operation.kind === 'set')
    return found.kind === 'member' ? setValue(source, found.map, found.pair, operation.value) : insertMember(source, found, operation.value)
  if (found.kind !== 'member') return [[]]
  const { map, holder, pair } = found
  // A block that is empty would be nothing rather than an empty object.
  if (holder && !isFlow(map) && pairsOf(map).length === 1) return setValue(source, map, holder, {})
  return removeMember(source, map, pair)
}

/** The values with one change. A null in place of an object counts as an empty one. */
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

/** False for a text that UTF-8 cannot hold. */
const isWellFormed = (text: string): boolean => Buffer.from(text, 'utf8').toString('utf8') === text
