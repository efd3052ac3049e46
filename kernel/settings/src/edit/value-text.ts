import { isObject } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { Document, type ToStringOptions, visit } from 'yaml'

/** The quotes of a text; plain if its content allows. */
export interface TextStyle {
  readonly style?: 'QUOTE_DOUBLE' | 'QUOTE_SINGLE'
}

/**
 * Writes a value. Quotes texts that YAML 1.1 would read as another type, folds nothing, and escapes
 * line endings in texts.
 */
function write(value: JsonValue, options: ToStringOptions, style?: TextStyle['style']): string {
  const document = new Document(value, { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'QUOTE_DOUBLE'
      else if (style !== undefined && typeof node.value === 'string') node.type = style
    },
    Seq(_key, node) {
      if (node !== document.contents && isShortList(node.toJSON() as readonly JsonValue[])) node.flow = true
    },
  })
  const never = Number.MAX_SAFE_INTEGER
  const written = document.toString({ lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: never, ...options })
  // Only its line ending: a plain text may end with a space of Unicode.
  return written.replace(/\n$/, '')
}

/** A value on one line, for a block (`flow` false) or for braces. */
export function inlineValue(value: JsonValue, { flow, style }: TextStyle & { readonly flow: boolean }): string {
  if (typeof value === 'string' && special.test(value)) return escaped(value)
  if (!flow && (typeof value !== 'object' || value === null)) return write(value, {}, style)
  // The only item of a list, as it is written between brackets.
  const padding = isObject(value) ? 1 : 0
  const list = write([value], { collectionStyle: 'flow', flowCollectionPadding: padding > 0 }, style)
  return list.slice(1 + padding, -1 - padding)
}

/** A key as it is written before its colon. */
export const keyText = (key: string, style: TextStyle = {}): string => inlineValue(key, { flow: true, ...style })

/**
 * `key: value` as lines without line endings, indented by `step` below the key; a short list of
 * plain values is on the key's line.
 */
export function blockPair(key: string, value: JsonValue, step: number): readonly string[] {
  const flow = Array.isArray(value) ? isShortList(value) : isObject(value) && Object.keys(value).length === 0
  if (flow || typeof value !== 'object' || value === null) return [`${keyText(key)}: ${inlineValue(value, { flow })}`]
  return [`${keyText(key)}:`, ...blockLines(value, step).map((line) => `${' '.repeat(step)}${line}`)]
}

/** A list or object as lines of a block, not indented. Not for empty ones. */
export function blockLines(value: JsonObject | readonly JsonValue[], step: number): readonly string[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => blockPair(key, member, step))
  return write(value, { indent: step, flowCollectionPadding: false }).split('\n')
}

/** True for a list that reads well on one line. */
const isShortList = (value: readonly JsonValue[]): boolean =>
  value.every((item) => typeof item !== 'object' || item === null) && JSON.stringify(value).length <= 80

// Characters that YAML cannot print, that may be read as a line ending, and lone surrogates, which UTF-8 cannot encode.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u

/** In double quotes, everything special as an escape. */
const escaped = (text: string): string =>
  JSON.stringify(text).replace(new RegExp(special, 'gu'), (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
