import { createHash } from 'node:crypto'

/** The caller's measure: four UTF-16 code units are a token. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)

/**
 * A text as it is compared: compatibility forms, case, spacing and the punctuation around it make
 * no difference.
 */
export function normalText(text: string): string {
  const flat = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
  return flat.replaceAll(/[\s\u200b\ufeff]+/g, ' ').replaceAll(/^[\s.,;:!?"'()[\]-]+|[\s.,;:!?"'()[\]-]+$/g, '')
}

/** One line of at most `max` UTF-16 code units; a cut one ends with an ellipsis. */
export function oneLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${wellFormed(line.slice(0, max - 1)).trimEnd()}…`
}

/** At most `max` UTF-16 code units, cut in the middle with a note. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const note = '\n[…]\n'
  const half = Math.max(0, Math.floor((max - note.length) / 2))
  return max <= note.length ? text.slice(0, max) : `${wellFormed(text.slice(0, half))}${note}${wellFormed(text.slice(text.length - half))}`
}

/** Without halves of characters, which no JSON reader has to take. */
export const wellFormed = (text: string): string =>
  text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')

/** The SHA-256 of a text, in hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The words of a text with letters or digits, in the form in which they are compared. */
export const wordsOf = (text: string): readonly string[] => normalText(text).match(/[\p{L}\p{N}]+/gu) ?? []
