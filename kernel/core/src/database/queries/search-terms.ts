import type { SearchTerm } from '@agent-service/sdk/contracts/database-driver'
import { isCharacterWord, wordsOf } from './search-words.js'

/** How much of a typed text counts, in UTF-16 units and in words. */
export const maxSearchLength = 1000
export const maxSearchWords = 32

/**
 * A phrase in quotation marks, or text without spaces. An opening mark without a closing one is
 * ignored.
 */
const piece = /["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/gu

/**
 * The terms of a typed text. Text without spaces (`user@example.com`, `3.14`, 東京) and text in
 * quotation marks is a phrase. The last word matches as a prefix unless a quotation mark ends it.
 * Any text is valid; one without words has no terms.
 */
export function searchTerms(text: string): readonly SearchTerm[] {
  const terms: { readonly words: readonly string[]; readonly quoted: boolean }[] = []
  let left = maxSearchWords
  for (const [whole, phrase] of text.slice(0, maxSearchLength).matchAll(piece)) {
    const words = wordsOf(phrase ?? whole).slice(0, left)
    left -= words.length
    if (words.length > 0) terms.push({ words, quoted: phrase !== undefined })
  }
  return terms.map(({ words, quoted }, position) => {
    const goesOn = position === terms.length - 1 && !quoted && !isCharacterWord(words.at(-1) ?? '')
    return { words, prefix: goesOn }
  })
}
