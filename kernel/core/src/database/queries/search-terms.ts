import type { SearchTerm } from '@agent-service/sdk/contracts/database-driver'
import { isCharacterWord, wordsOf } from './search-words.js'

/** How much of what a person typed counts, in UTF-16 units and in words. */
export const maxSearchLength = 1000
export const maxSearchWords = 32

/** A phrase in quotation marks, or what stands without a space. An opening mark without a closing one means nothing. */
const piece = /["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/gu

/**
 * What a person typed as terms. What is written together (`user@example.com`, `3.14`, 東京) is a phrase, as is what stands in quotation marks; the last
 * word may go on unless a quotation mark ends it. No text is wrong; one without words gives no terms.
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
