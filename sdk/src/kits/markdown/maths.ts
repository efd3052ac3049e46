import type { TokenizerExtension, Tokens } from 'marked'
import { element, type MarkupElement } from './markup.js'

/** Maths within a text, at its beginning. By the rules of pandoc, amounts in dollars are none. */
const inDollars = /^\$(?![\s$])((?:\\[\s\S]|[^\\$\n]|\n(?![ \t]*\n))+?)(?<!\s)\$(?!\d)/
const inTwoDollars = /^\$\$(?!\$)((?:\\[\s\S]|[^\\$\n]|\$(?!\$)|\n(?![ \t]*\n))+?)\$\$/
const inParentheses = /^\\\(((?:[^\n\\]|\\(?!\))|\n(?![ \t]*\n))+)\\\)/
const inBrackets = /^\\\[((?:[^\n\\]|\\(?!\])|\n(?![ \t]*\n))+)\\\]/

interface Maths {
  readonly source: string
  readonly isDisplay: boolean
  readonly raw: string
}

/** The maths with which a text begins. */
export function mathsAt(text: string): Maths | undefined {
  for (const [pattern, isDisplay] of [
    [inTwoDollars, true],
    [inDollars, false],
    [inParentheses, false],
    [inBrackets, true],
  ] as const) {
    const [raw, source = ''] = pattern.exec(text) ?? []
    if (raw !== undefined && source.trim() !== '') return { raw, source: source.trim(), isDisplay }
  }
  return undefined
}

/** Where maths may begin: a dollar after a letter or a digit is that of an amount. */
const beginning = /(?<![\p{L}\p{N}\\$])\$|\$\$|\\[([]/u
const blockBeginning = /\n {0,3}(?:\$\$|\\\[)/

/** The lexer asks at each of its steps, of all that follows. */
const mayHaveMaths = (text: string): boolean => text.includes('$') || text.includes('\\')

const tokenOf = (type: string, { raw, source, isDisplay }: Maths): Tokens.Generic => ({ type, raw, text: source, isDisplay })

/** What reads maths between `$` and `$`, `$$` and `$$`, `\(` and `\)`, `\[` and `\]`. */
export const mathsExtensions: readonly TokenizerExtension[] = [
  {
    name: 'maths',
    level: 'inline',
    start: (text) => (mayHaveMaths(text) ? beginning.exec(text)?.index : undefined),
    tokenizer(text) {
      const found = mathsAt(text)
      return found && tokenOf('maths', found)
    },
  },
  {
    name: 'mathsBlock',
    level: 'block',
    start: (text) => (mayHaveMaths(text) ? blockBeginning.exec(text)?.index : undefined),
    tokenizer(text) {
      const [indent = ''] = /^ {0,3}(?=\$\$|\\\[)/.exec(text) ?? []
      const found = mathsAt(text.slice(indent.length))
      const [end] = found?.isDisplay ? (/^[ \t]*(?:\n|$)/.exec(text.slice(indent.length + found.raw.length)) ?? []) : []
      return found && end !== undefined ? tokenOf('mathsBlock', { ...found, raw: `${indent}${found.raw}${end}` }) : undefined
    },
  },
]

/** The line below a block of maths makes no heading of it: the text before it ends where the maths begins. */
export const endsBeforeMaths = (heading: string): boolean => blockBeginning.test(`\n${heading}`)

/** A text of the same length in which nothing of the maths is a mark of emphasis. */
export const withoutMaths = (text: string): string => {
  if (!mayHaveMaths(text)) return text
  let masked = ''
  for (let at = 0; at < text.length; ) {
    const next = beginning.exec(text.slice(at))?.index
    if (next === undefined) return masked + text.slice(at)
    const found = mathsAt(text.slice(at + next))
    const length = found?.raw.length ?? 1
    masked += text.slice(at, at + next) + (found ? 'm'.repeat(length) : text.slice(at + next, at + next + length))
    at += next + length
  }
  return masked
}

/** Maths as it was written, in a class from which a page makes formulas. */
export const mathsNode = (token: Tokens.Generic): MarkupElement =>
  element('code', [String(token['text'])], { class: token['isDisplay'] === true ? 'math-display' : 'math-inline' })
