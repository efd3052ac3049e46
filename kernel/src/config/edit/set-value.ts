import type { JsonValue } from '@agent-service/sdk'
import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { isObject } from '../index.js'
import { hasTag, placeOf, type Refusal } from './find-path.js'
import { behindLine, insertLines, lineEnding, lineStart, nextLine, type TextEdit } from './text-edits.js'
import { blockLines, blockScalar, inlineValue, type ScalarStyle } from './write-yaml.js'
import {
  beginsLine,
  columnOf,
  contentEnd,
  hasColon,
  headerEnd,
  indentationStep,
  isBlockScalar,
  isEmpty,
  isFlow,
  type MapNode,
  type PairNode,
  type Source,
  startOf,
  usedAnchor,
} from './yaml-nodes.js'

/** Ways to give a member another value, the best first: each is all the edits of one way. */
export function setValue(source: Source, map: MapNode, pair: PairNode, value: JsonValue): readonly (readonly TextEdit[])[] | Refusal {
  const node = pair.value
  if (hasTag(node)) return { refused: `has a tag (“${node?.tag}”); edit the file by hand${placeOf(source, node)}` }
  const anchor = usedAnchor(source, node)
  if (anchor !== undefined)
    return { refused: `is used in other places (“&${anchor}”), which would change with it; edit the file by hand${placeOf(source, node)}` }
  const context: Context = { source, pair, value, flow: isFlow(map) }
  if (!node || isEmpty(node)) return [...asBlock(context, headerEnd(pair)), behindHeader(context)]
  if (isBlockScalar(node)) return [...asBlockScalar(context, node), inPlaceOfBlockScalar(context, node)]
  if ((isMap(node) || isSeq(node)) && !isFlow(node)) return inPlaceOfBlock(context, node)
  const empty = (isMap(node) || isSeq(node)) && node.items.length === 0
  return [...(empty ? asBlock(context, node.range?.[1] ?? 0) : []), inPlace(context, node)]
}

interface Context {
  readonly source: Source
  readonly pair: PairNode
  readonly value: JsonValue
  /** Between braces, where no block can be. */
  readonly flow: boolean
}

/** Lists of objects, and objects, have lines of their own where they can. */
const wantsLines = (value: JsonValue): value is readonly JsonValue[] | Readonly<Record<string, JsonValue>> =>
  Array.isArray(value) ? value.some((item) => typeof item === 'object' && item !== null) : isObject(value) && Object.keys(value).length > 0

/** As lines below the key, in place of what stands behind the colon up to `end`. */
function asBlock({ source, pair, value, flow }: Context, end: number): readonly (readonly TextEdit[])[] {
  const { text } = source
  const header = headerEnd(pair)
  const key = startOf(pair.key)
  if (flow || !wantsLines(value) || !beginsLine(text, key) || text.slice(header, end).includes('\n')) return []
  const step = indentationStep(source)
  const indentation = ' '.repeat(columnOf(source, key) + step)
  const lines = blockLines(value, step).map((line) => indentation + line)
  return [[{ start: header, end, text: '' }, insertLines(text, nextLine(text, end), lines)]]
}

/** A value where none was. */
function behindHeader({ pair, value, flow }: Context): readonly TextEdit[] {
  const header = headerEnd(pair)
  return [{ start: header, end: header, text: `${hasColon(pair) ? ' ' : ': '}${inlineValue(value, { flow })}` }]
}

/** On the place of a value that is no block; a text in the quotes of the one before it. */
function inPlace({ value, flow }: Context, node: Node): readonly TextEdit[] {
  const [start, end] = node.range ?? [0, 0]
  const style = isScalar(node) ? styleFor(node, value) : {}
  return [{ start, end, text: inlineValue(value, { flow, ...style }) }]
}

const styleFor = (node: Scalar, value: JsonValue): { readonly style?: ScalarStyle } =>
  typeof value === 'string' && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') ? { style: node.type } : {}

/** A text stays a block scalar. */
function asBlockScalar({ source, pair, value }: Context, node: Scalar): readonly (readonly TextEdit[])[] {
  if (typeof value !== 'string' || (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED')) return []
  const written = blockScalar(value, node.type)
  const { text } = source
  const [start, end] = node.range ?? [0, 0]
  const old = text.slice(start, end)
  const ending = lineEnding(text, start)
  const comment = headerComment(old)
  const column = /^[^\n]*\n(?:[ \r]*\n)*( +)/.exec(old)?.[1]?.length ?? columnOf(source, startOf(pair.key)) + indentationStep(source)
  if (!written) return []
  const lines = [
    `${written.header}${comment}`,
    ...written.lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)),
    ...(old.endsWith('\n') ? [''] : []),
  ]
  return [[{ start, end, text: lines.join(ending) }]]
}

/** One line in place of a block scalar; a comment behind its header stays. */
function inPlaceOfBlockScalar({ source, value, flow }: Context, node: Scalar): readonly TextEdit[] {
  const [start, end] = node.range ?? [0, 0]
  const old = source.text.slice(start, end)
  const text = `${inlineValue(value, { flow })}${headerComment(old)}`
  return [{ start, end, text: old.endsWith('\n') ? text + lineEnding(source.text, start) : text }]
}

const headerComment = (blockScalarText: string): string => /^[^\n#]*?( +#[^\r\n]*)/.exec(blockScalarText)?.[1] ?? ''

/** In place of the lines of a block: lines again, or one value behind the colon. Comments before the first of those lines stay. */
function inPlaceOfBlock(context: Context, node: Node): readonly (readonly TextEdit[])[] | Refusal {
  const { source, pair, value } = context
  const { text } = source
  const start = startOf(node)
  if (!beginsLine(text, start)) return { refused: `has no lines of its own; edit the file by hand${placeOf(source, node)}` }
  const lines = { start: lineStart(text, start), end: behindLine(text, contentEnd(node)) }
  const isEmptied = value === null || typeof value !== 'object' || Object.keys(value).length === 0
  if (isEmptied || isMap(node) !== isObject(value)) {
    const header = headerEnd(pair)
    const written = ` ${inlineValue(value, { flow: false })}`
    return [
      [
        { start: header, end: header, text: written },
        { ...lines, text: '' },
      ],
    ]
  }
  const indentation = ' '.repeat(columnOf(source, start))
  const ending = lineEnding(text, start)
  const written = blockLines(value, indentationStep(source)).map((line) => indentation + line)
  return [[{ ...lines, text: written.join(ending) + (text[lines.end - 1] === '\n' ? ending : '') }]]
}
