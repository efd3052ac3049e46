import { foldText } from './fold.js'
import { stemWord } from './stem.js'
import { stopWords } from './stop-words.js'

/** Runs of letters, digits and the signs on them. An apostrophe inside of a word belongs to it. */
const runs = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu

/** Characters of scripts that are written without spaces. */
const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((script) => `\\p{scx=${script}}`).join('')
const pieces = new RegExp(`([${spaceless}]+)|[^${spaceless}]+`, 'gu')
const han = /\p{Script=Han}/u

/** Made with the first text that needs it: its data are no part of a start. */
let segmenter: Intl.Segmenter | undefined

/** So many characters of a text are taken apart by dictionaries, which takes long; those behind them by pairs alone. */
const maxSegmented = 1_000

/** Words longer than this are cut: nothing but noise is so long. */
const maxWordLength = 64

/** The terms of a text that is stored, in order and with repetitions. */
export const termsOf = (text: string): readonly string[] => wordsOf(text).map(stemWord)

/**
 * The terms of a query: each once, without words that say nothing unless there are no others. At most
 * `maxTerms`.
 */
export function queryTermsOf(text: string, maxTerms = 64): readonly string[] {
  const words = wordsOf(text)
  const telling = words.filter((word) => !stopWords.has(word))
  return [...new Set((telling.length > 0 ? telling : words).map(stemWord))].slice(0, maxTerms)
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  let segmented = 0
  for (const [run] of foldText(text).matchAll(runs))
    for (const [piece, withoutSpaces] of run.matchAll(pieces)) {
      if (withoutSpaces === undefined) {
        words.push(
          piece
            .replace(/['’]s$/, '')
            .replaceAll(/['’]/g, '')
            .slice(0, maxWordLength),
        )
        continue
      }
      words.push(...partsOf(withoutSpaces, { byDictionary: segmented < maxSegmented }))
      segmented += withoutSpaces.length
    }
  return words.filter((word) => word !== '')
}

/**
 * What a run without spaces is found by: its words as dictionaries know them, its pairs of
 * characters, and the Chinese ones alone.
 */
function partsOf(run: string, { byDictionary }: { readonly byDictionary: boolean }): readonly string[] {
  const parts = new Set<string>()
  if (byDictionary) {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
    for (const { segment, isWordLike } of segmenter.segment(run.slice(0, maxSegmented)))
      if (isWordLike === true) parts.add(segment.slice(0, maxWordLength))
  }
  const characters = [...run]
  for (const [index, character] of characters.entries()) {
    if (han.test(character)) parts.add(character)
    const next = characters[index + 1]
    if (next !== undefined) parts.add(character + next)
  }
  return [...parts]
}
