import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { isMap, isScalar } from 'yaml'
import { type Found, placeOf, type Refusal } from './find-path.js'
import { behindLine, insertLines, lineEnding, lineStart, nextLine, type TextEdit } from './text-edits.js'
import { blockPair, inlineValue, keyText } from './write-yaml.js'
import {
  beginsLine,
  columnOf,
  hasColon,
  headerEnd,
  indentationStep,
  isEmpty,
  isFlow,
  type MapNode,
  type PairNode,
  pairEnd,
  pairsOf,
  type Source,
  startOf,
} from './yaml-nodes.js'

/** Ways to write a member where there is none yet, the best first: each is all the edits of one way. */
export function insertMember(
  source: Source,
  found: Extract<Found, { readonly kind: 'absent' | 'empty' }>,
  value: JsonValue,
): readonly (readonly TextEdit[])[] | Refusal {
  const [name = '', ...deeper] = found.rest
  const member: JsonValue = deeper.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }) as JsonObject, value)
  if (found.kind === 'absent')
    return isFlow(found.map)
      ? [intoFlow(source, found.map, name, member)]
      : intoBlock(source, found.map, found.holder === undefined, name, member)
  return intoNothing(source, found, name, member)
}

/** A section goes to the end of the text, everything else behind the last member of its map; where that does not work, before the first one. */
function intoBlock(
  source: Source,
  map: MapNode,
  isRoot: boolean,
  name: string,
  value: JsonValue,
): readonly (readonly TextEdit[])[] | Refusal {
  const { text } = source
  const pairs = pairsOf(map)
  const [first, last] = [pairs.find(({ key }) => beginsLine(text, startOf(key))), pairs.at(-1)]
  if (!first || !last) return { refused: `has no line of its own to go to; edit the file by hand${placeOf(source, map)}` }
  const lines = indented(blockPair(name, value, indentationStep(source)), columnOf(source, startOf(first.key)))
  const end = isRoot ? documentEnd(text) : behindLine(text, pairEnd(last))
  return [[insertLines(text, end, lines)], [insertLines(text, lineStart(text, startOf(first.key)), lines)]]
}

/** Before the first member when that has lines of its own, so that no other line changes, else behind the last one. */
function intoFlow(source: Source, map: MapNode, name: string, value: JsonValue): readonly TextEdit[] {
  const { text } = source
  const pairs = pairsOf(map)
  const [first, last] = [pairs.at(0), pairs.at(-1)]
  if (!first || !last) return [insideBraces(text, startOf(map), flowPair(name, value))]
  const written = flowPair(name, value, pairs)
  const start = startOf(first.key)
  if (!beginsLine(text, start)) return [at(pairEnd(last), `, ${written}`)]
  const indentation = ' '.repeat(columnOf(source, start))
  return [at(lineStart(text, start), `${indentation}${written},${lineEnding(text, start)}`)]
}

function intoNothing(
  source: Source,
  { holder, node, around }: Extract<Found, { readonly kind: 'empty' }>,
  name: string,
  value: JsonValue,
): readonly (readonly TextEdit[])[] | Refusal {
  const { text } = source
  const step = indentationStep(source)
  const braces = isMap(node) ? node : undefined
  if (!holder) {
    if (braces) return [[insideBraces(text, startOf(braces), flowPair(name, value))]]
    if (!isEmpty(node)) return { refused: `lies in something that is no object${placeOf(source, node)}` }
    return [[insertLines(text, documentEnd(text), blockPair(name, value, step))]]
  }
  const header = headerEnd(holder)
  const inline = `{ ${flowPair(name, value)} }`
  const ways: (readonly TextEdit[])[] = []
  if (around && !isFlow(around) && beginsLine(text, startOf(holder.key)) && (isEmpty(node) || isBare(text, header, node))) {
    const column = columnOf(source, startOf(holder.key)) + step
    const removed = braces ? [{ start: header, end: braces.range?.[1] ?? header, text: '' }] : []
    ways.push([...removed, insertLines(text, nextLine(text, header), indented(blockPair(name, value, step), column))])
  }
  if (braces) ways.push([insideBraces(text, startOf(braces), flowPair(name, value))])
  else if (isEmpty(node)) ways.push([at(header, `${hasColon(holder) ? ' ' : ': '}${inline}`)])
  else ways.push([{ start: node?.range?.[0] ?? header, end: node?.range?.[1] ?? header, text: inline }])
  return ways
}

/** True for `{}` on the line of its key, without a comment in it. */
function isBare(text: string, header: number, node: Extract<Found, { readonly kind: 'empty' }>['node']): boolean {
  if (!isMap(node) || !node.range) return false
  return /^ *\{ *\}$/.test(text.slice(header, node.range[1]))
}

/** The end of the text, or the line of the marker `...` that ends the document before it. */
function documentEnd(text: string): number {
  const marker = /^\.\.\.(?=\s|$)/m.exec(text)
  return marker ? marker.index : text.length
}

/** `key: value` for a place between braces. Where the members beside it are written as JSON, so is this one. */
function flowPair(name: string, value: JsonValue, beside: readonly PairNode[] = []): string {
  const isJson = beside.length > 0 && beside.every(({ key }) => isScalar(key) && key.type === 'QUOTE_DOUBLE')
  const style = isJson ? ({ style: 'QUOTE_DOUBLE' } as const) : {}
  const written = isJson && typeof value === 'object' ? JSON.stringify(value) : inlineValue(value, { flow: true, ...style })
  return `${keyText(name, style)}: ${written}`
}

const insideBraces = (text: string, brace: number, written: string): TextEdit =>
  at(brace + 1, ` ${written}${text[brace + 1] === '}' ? ' ' : ''}`)

const at = (offset: number, text: string): TextEdit => ({ start: offset, end: offset, text })

const indented = (lines: readonly string[], column: number): readonly string[] => lines.map((line) => `${' '.repeat(column)}${line}`)
