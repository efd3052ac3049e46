import { isObject } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { CST } from 'yaml'
import type { Found } from './find-member.js'
import { blockLines, blockPair, inlineValue, keyText, type TextStyle } from './value-text.js'
import {
  behindAdded,
  isAdded,
  isEmpty,
  isMapToken,
  type MapToken,
  type Member,
  membersOf,
  raw,
  splitBehind,
  splitHeader,
  type YamlTree,
} from './yaml-tree.js'

/** Changes the tokens of a tree. */
export type Change = () => void

/** Ways to set the value of a member, the best first. */
export function setValue(tree: YamlTree, map: MapToken, member: Member, value: JsonValue): readonly Change[] {
  const token = member.value
  const flow = map.type === 'flow-collection'
  const inline: Change = () => putInline(member, inlineValue(value, { flow, ...styleOf(token, value) }))
  if (token?.type === 'block-scalar')
    return typeof value === 'string' ? [() => setBlockScalar(tree, member, token, value), inline] : [inline]
  const bare = isEmpty(token) || (token?.type === 'flow-collection' && token.items.length === 0)
  if (bare && !flow && wantsLines(value))
    return [() => putLines(tree, member, blockLines(value, tree.step), columnOf(map) + tree.step), inline]
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return [inline]
  if (isEmptied(value) || (token.type === 'block-map') !== isObject(value)) return [inline]
  return [() => replaceBlock(tree, member, token, blockLines(value, tree.step))]
}

/** Ways to insert a member, the best first. */
export function insertMember(
  tree: YamlTree,
  found: Extract<Found, { readonly kind: 'absent' | 'empty' }>,
  value: JsonValue,
): readonly Change[] {
  const [name = '', ...deeper] = found.rest
  const member = deeper.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }) as JsonObject, value)
  const lines = blockPair(name, member, tree.step)
  if (found.kind === 'absent') {
    const { map, holder } = found
    if (map.type === 'flow-collection') return [() => insertInBraces(tree, map, flowPair(name, member, membersOf(map)))]
    return [() => (holder ? insertBehindLast(tree, map, lines) : appendSection(tree, lines))]
  }
  const { holder, around, node } = found
  const pair = flowPair(name, member)
  const braces = isMapToken(node) && node.type === 'flow-collection' ? [() => insertInBraces(tree, node, pair)] : undefined
  if (!holder || !around) return braces ?? [() => appendSection(tree, lines)]
  const ways = braces ?? [() => putInline(holder, `{ ${pair} }`)]
  const mayHaveLines = around.type === 'block-map' && (isEmpty(node) || (node?.type === 'flow-collection' && node.items.length === 0))
  return mayHaveLines ? [() => putLines(tree, holder, lines, columnOf(around) + tree.step), ...ways] : ways
}

const columnOf = (map: MapToken): number => Math.max(map.indent, 0)

const isEmptied = (value: JsonValue): value is string | number | boolean | null =>
  value === null || typeof value !== 'object' || Object.keys(value).length === 0

/** Objects and lists of objects get their own lines if possible. */
const wantsLines = (value: JsonValue): value is readonly JsonValue[] | JsonObject =>
  Array.isArray(value) ? value.some((item) => typeof item === 'object' && item !== null) : isObject(value) && !isEmptied(value)

/** A text keeps the quotes of the previous value. */
function styleOf(token: CST.Token | undefined, value: JsonValue): TextStyle {
  if (typeof value !== 'string') return {}
  if (token?.type === 'double-quoted-scalar') return { style: 'QUOTE_DOUBLE' }
  return token?.type === 'single-quoted-scalar' ? { style: 'QUOTE_SINGLE' } : {}
}

/** Replaces a value with one on a single line; comments stay. */
function putInline(member: Member, text: string): void {
  const { value } = member
  const [header, gap] = splitHeader(member.sep)
  const hasNone = isEmpty(value) || value?.type === 'block-map' || value?.type === 'block-seq'
  const written = hasNone ? [raw(header.length > 0 ? ` ${text}` : `: ${text}`), ...gap] : [...gap, raw(text)]
  member.sep = [...header, ...written, ...tailOf(value)]
  delete member.value
}

/** The tokens after a value on its last line, or after the header of a block scalar. */
function tailOf(value: CST.Token | undefined): readonly CST.SourceToken[] {
  if (value?.type === 'block-scalar') return value.props.slice(1) as readonly CST.SourceToken[]
  if (value?.type === 'flow-collection') return value.end.slice(1)
  return value && 'end' in value ? (value.end ?? []) : []
}

/**
 * Writes lines below a key that has no value, or empty braces or brackets; a comment on its line
 * stays.
 */
function putLines({ ending }: YamlTree, member: Member, lines: readonly string[], column: number): void {
  const [header, gap] = splitHeader(member.sep)
  const [line, rest] = splitBehind(isEmpty(member.value) ? gap : tailOf(member.value), 'newline', 'first')
  const text = indented(lines, column, ending)
  member.sep = [...header, ...(line.length > 0 ? [...line, ...behindAdded(rest, raw(text + ending))] : [...rest, raw(ending + text)])]
  delete member.value
}

const indented = (lines: readonly string[], column: number, ending: string): string =>
  lines.map((line) => ' '.repeat(column) + line).join(ending)

/** Replaces the lines of a block; comments before the first and after the last stay. */
function replaceBlock({ ending }: YamlTree, member: Member, token: CST.BlockMap | CST.BlockSequence, lines: readonly string[]): void {
  const text = indented(lines, token.indent, ending)
  member.sep = [...(member.sep ?? []), raw(text + (CST.stringify(token).endsWith('\n') ? ending : ''))]
  delete member.value
}

/** Sets the text of a block scalar, which keeps its style and indentation. */
function setBlockScalar({ ending, step }: YamlTree, member: Member, token: CST.BlockScalar, text: string): void {
  const column = /^(?:[ \r]*\n)*( +)/.exec(token.source)?.[1]?.length ?? Math.max('indent' in member.key ? member.key.indent : 0, 0) + step
  const end = token.source === '' || token.source.endsWith('\n') ? ending : ''
  CST.setScalarValue(Object.assign(token, { indent: column }), text)
  if (token.type === 'block-scalar') token.source = token.source.replace(/\n$/, '').replaceAll('\n', ending) + end
}

/** Inserts after the last member of a block, before the comments below it. */
function insertBehindLast({ ending }: YamlTree, map: MapToken, lines: readonly string[]): void {
  const last = map.items.findLastIndex(({ key, start }) => key || start.some(isAdded))
  const item = map.items[last]
  if (!item) return
  const text = indented(lines, columnOf(map), ending)
  map.items.splice(last + 1, 0, { start: [raw(CST.stringify(item).endsWith('\n') ? text + ending : ending + text)] })
}

/** Appends a section to the end of the document. */
function appendSection(tree: YamlTree, lines: readonly string[]): void {
  const { document, ending } = tree
  const before = document ? CST.stringify(document) : tree.tokens.map((token) => CST.stringify(token)).join('')
  const text = lines.join(ending)
  const added = raw(before === '' || before.endsWith('\n') ? text + ending : ending + text)
  if (document) document.end = [...(document.end ?? []), added]
  else (tree.tokens as CST.Token[]).push(added)
}

/**
 * Inserts before the first member if that has its own lines, so that no other line changes;
 * otherwise after the last one.
 */
function insertInBraces({ ending }: YamlTree, map: CST.FlowCollection, pair: string): void {
  const [first, last] = [membersOf(map).at(0), membersOf(map).at(-1)]
  if (!first || !last) map.start.source = `{ ${pair}${map.items.length === 0 ? ' ' : ''}`
  else if (first.start.some(({ type }) => type === 'newline')) {
    const indentation = splitBehind(first.start, 'newline', 'last')[1].filter((token) => !isAdded(token))
    first.start.push(raw(`${pair},${ending}${indentation.map(({ source }) => source).join('')}`))
  } else appendTo(last, raw(`, ${pair}`))
}

/** Appends text to the last character of a member. */
function appendTo(member: Member, text: CST.SourceToken): void {
  const { value, key } = member
  const [header, gap] = splitHeader(member.sep)
  if (value && !isEmpty(value)) {
    const before = value.type === 'flow-collection' ? value.end.slice(0, 1) : []
    Object.assign(value, { end: [...before, ...behindAdded(tailOf(value), text)] })
  } else if (header.length > 0) member.sep = [...header, ...behindAdded(gap, text)]
  else if ('source' in key) key.source += text.source
}

/** `key: value` between braces. If the other members are written as JSON, so is this one. */
function flowPair(name: string, value: JsonValue, beside: readonly Member[] = []): string {
  const isJson = beside.length > 0 && beside.every(({ key }) => key.type === 'double-quoted-scalar')
  const style = isJson ? ({ style: 'QUOTE_DOUBLE' } as const) : {}
  const written = isJson && typeof value === 'object' ? JSON.stringify(value) : inlineValue(value, { flow: true, ...style })
  return `${keyText(name, style)}: ${written}`
}
