import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { Document, isSeq, Scalar, type ToStringOptions, visit } from 'yaml'
import { isObject } from '../index.js'

/** How a text is quoted. */
export type ScalarStyle = Scalar.Type

const options: ToStringOptions = { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }

/** Texts that YAML 1.1 would read as something else are quoted; nothing is folded, and line endings in a text are written as escapes. */
function document(contents: unknown): Document {
  const made = new Document(contents, { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(made, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type ??= 'QUOTE_DOUBLE'
    },
  })
  return made
}

/** A value on one line, as it may stand in a block (`flow` false) or between braces. A text takes the style where its content allows. */
export function inlineValue(value: JsonValue, context: { readonly flow: boolean; readonly style?: ScalarStyle }): string {
  if (typeof value === 'string' && needsEscapes(value)) return escaped(value)
  if (typeof value === 'object' && value !== null) return itemOf(document([value]), isObject(value))
  const scalar = new Scalar(value)
  if (context.style !== undefined && typeof value === 'string' && !value.includes('\n')) scalar.type = context.style
  if (context.flow) return itemOf(document([scalar]), false)
  return document({ key: scalar })
    .toString(options)
    .replace(/^key: /, '')
    .trimEnd()
}

/** The one item of a list, as it is written between brackets. */
function itemOf(list: Document, padded: boolean): string {
  if (isSeq(list.contents)) list.contents.flow = true
  const text = list.toString({ ...options, flowCollectionPadding: padded }).trimEnd()
  return padded ? text.slice(2, -2) : text.slice(1, -1)
}

/** A key as it stands before its colon. */
export function keyText(key: string, context: { readonly style?: ScalarStyle } = {}): string {
  return needsEscapes(key) ? escaped(key) : inlineValue(key, { flow: true, ...context })
}

/** `key: value` as lines without line endings, indented by `step` below the key; a list of plain values that is short on the key's own line. */
export function blockPair(key: string, value: JsonValue, step: number): readonly string[] {
  if (!isObject(value) && !Array.isArray(value)) return [`${keyText(key)}: ${inlineValue(value, { flow: false })}`]
  const inline = isObject(value) ? Object.keys(value).length === 0 : isShortList(value)
  if (inline) return [`${keyText(key)}: ${inlineValue(value, { flow: true })}`]
  return [`${keyText(key)}:`, ...blockLines(value, step).map((line) => `${' '.repeat(step)}${line}`)]
}

/** A list or object as lines of a block, without indentation of its own. Not for empty ones. */
export function blockLines(value: JsonObject | readonly JsonValue[], step: number): readonly string[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => blockPair(key, member, step))
  const written = document(value)
  visit(written, {
    Seq(_key, node) {
      if (node !== written.contents && isShortList(node.toJSON() as readonly JsonValue[])) node.flow = true
    },
  })
  return written
    .toString({ ...options, indent: step, flowCollectionPadding: false })
    .replace(/\n$/, '')
    .split('\n')
}

/** A text as a literal or folded block: the header, then its lines without indentation. `undefined` where it cannot be one. */
export function blockScalar(
  text: string,
  style: 'BLOCK_LITERAL' | 'BLOCK_FOLDED',
): { readonly header: string; readonly lines: readonly string[] } | undefined {
  if (text === '' || needsEscapes(text) || text.includes('\r')) return undefined
  const scalar = new Scalar(text)
  scalar.type = style
  const written = document({ key: scalar }).toString({ lineWidth: 0, indent: 1 })
  const [header = '', ...lines] = written.replace(/^key: /, '').split('\n')
  // An indentation indicator counts from the parent, whose own indentation is not known here.
  if (!/^[|>][+-]?$/.test(header)) return undefined
  return { header, lines: lines.slice(0, -1).map((line) => line.replace(/^ /, '')) }
}

/** True for a list that reads well on one line. */
const isShortList = (value: readonly JsonValue[]): boolean =>
  value.every((item) => typeof item !== 'object' || item === null) && JSON.stringify(value).length <= 80

// What is no printable character of YAML, what may be taken for a line ending, and halves of characters that UTF-8 cannot hold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u
const needsEscapes = (text: string): boolean => special.test(text)

/** In double quotes, everything special as an escape. */
const escaped = (text: string): string =>
  JSON.stringify(text).replace(new RegExp(special, 'gu'), (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
