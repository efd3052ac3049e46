import { withoutReasoning } from '@agent-service/sdk/model-answers'
import { wellFormed } from '../common/well-formed.js'

/** The longest title that a model makes, in characters. */
const maxCharacters = 80
/** The part of an answer that is looked at, in UTF-16 code units. */
const maxAnswerLength = 4_000

/**
 * The title in the answer of a model: its first line with words, without control characters,
 * invisible characters and marks that change the direction of a text, without markup and quotation
 * marks around it, cut between words. Reasoning between tags is no part of it. Undefined if nothing
 * is left. The answer may be hostile: what comes back is one line of printable text.
 */
export function titleFromAnswer(answer: string): string | undefined {
  const said = withoutReasoning(answer.slice(0, maxAnswerLength), { expected: true })
  const lines = wellFormed(said).split(/[\n\r\v\f\u0085\u2028\u2029]+/)
  for (const line of lines) {
    const title = cut(bare(printable(line)))
    if (/[\p{L}\p{N}\p{S}]/u.test(title)) return title
  }
  return undefined
}

/**
 * A joiner stays between two characters that may need it: in Persian and Indian scripts, and in
 * pictures made of several.
 */
const printable = (line: string): string =>
  line
    .replaceAll(
      /(?<!\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier})(?:\u200c|\u200d)|(?:\u200c|\u200d)(?!\p{L}|\p{Extended_Pictographic})/gu,
      '',
    )
    .replaceAll(/\p{Zs}|\t/gu, ' ')
    .replaceAll(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim()

const quotes = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['**', '**'],
] as const

function bare(line: string): string {
  let title = line.replace(/^(#+ |[-*] )/, '').replace(/^(\*\*)?title(\*\*)?:(\*\*)? */i, '')
  for (const [open, close] of quotes) {
    if (title.length > open.length + close.length && title.startsWith(open) && title.endsWith(close)) {
      title = title.slice(open.length, -close.length)
    }
  }
  return title.replace(/(?<=[^.])\.$/, '').trim()
}

function cut(title: string): string {
  const characters = [...title]
  if (characters.length <= maxCharacters) return title
  const beginning = characters.slice(0, maxCharacters - 1).join('')
  const space = beginning.lastIndexOf(' ')
  return `${(space > beginning.length / 2 ? beginning.slice(0, space) : beginning).replace(/[\s\u200c\u200d]+$/, '')}…`
}
