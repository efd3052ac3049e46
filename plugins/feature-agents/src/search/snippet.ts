import { namedObject, Type } from '@agent-service/sdk'
import { cutText } from '../common/well-formed.js'
import type { Mark } from './marks.js'

/**
 * A piece of a text with the words found in it. `marks` are offsets into `text`, in UTF-16 code
 * units.
 */
export type Snippet = { readonly text: string; readonly marks: readonly Mark[] }

export const snippetSchema = namedObject('Snippet', {
  text: Type.String(),
  marks: Type.Array(namedObject('Mark', { start: Type.Integer(), end: Type.Integer() }), {
    description: 'The words found: offsets into `text` in UTF-16 code units; `end` is exclusive.',
  }),
})

/** The length of a snippet, and the length before the first word found, in UTF-16 code units. */
const length = 240
const before = 60

/** The text around the first mark: plain text on one line. */
export function snippetOf(text: string, marks: readonly Mark[]): Snippet {
  const first = marks[0]?.start ?? 0
  const start = beginningOf(text, Math.max(0, first - before))
  const piece = cutText(text.slice(start), length)
  const shown = marks
    .filter((mark) => mark.start < start + piece.length)
    .map((mark) => ({ start: mark.start - start, end: Math.min(mark.end - start, piece.length) }))
  // Replaces one character by one, so that the marks stay valid.
  return { text: piece.replaceAll(/\s/g, ' '), marks: shown }
}

/** The offset after the next space, if one is near; never in the middle of a character. */
function beginningOf(text: string, from: number): number {
  if (from === 0) return 0
  const space = text.slice(from, from + before / 2).search(/\s/)
  if (space >= 0) return from + space + 1
  const code = text.charCodeAt(from)
  return code >= 0xdc00 && code <= 0xdfff ? from + 1 : from
}
