import type { SearchTerm } from '@agent-service/sdk/contracts/database-driver'

/**
 * The generation of the rules below. Raise it with each change of them: the next start then
 * rebuilds every text index.
 */
export const wordsGeneration = 1

/** Only the beginning of a longer word counts, in the index and in a search. In UTF-16 units. */
const maxWordLength = 64

/** In scripts without spaces between words each character is a word, and so is a pictogram. */
const characterWords =
  String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}`

const word = new RegExp(
  [
    // A character with its marks; the prolonged sound mark belongs to no script.
    String.raw`[${characterWords}ー]\p{M}*`,
    String.raw`(?:(?![${characterWords}ー])[\p{L}\p{N}\p{Co}])(?:(?![${characterWords}ー])[\p{L}\p{N}\p{Co}\p{M}])*`,
    String.raw`\p{Extended_Pictographic}`,
  ].join('|'),
  'gu',
)

const plainWord = /[a-z0-9]+/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ascii = /^[\u0000-\u007f]*$/

/**
 * Marks that are ignored when words are compared. Those of Indic and South-East Asian scripts and
 * the voicing of kana are letters in their own right and are not listed.
 */
const accents = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`, // at Latin, Greek and other letters
    String.raw`\u0483-\u0487`, // Cyrillic
    String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`, // Hebrew points
    String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`, // Arabic vowel signs and stretching
  ].join('')}]`,
  'gu',
)

/**
 * The normalized words of a text, in order. Case, accents and widths of letters are removed
 * (Unicode NFKD, full case mapping via upper case, so that ß is ss); everything between words is
 * omitted.
 */
export function wordsOf(text: string): readonly string[] {
  if (ascii.test(text)) return (text.toLowerCase().match(plainWord) ?? []).map(cut)
  return (normalized(text).match(word) ?? []).map(cut)
}

/**
 * Whether a word is a pictogram or one character of a script without spaces: such a word is always
 * complete.
 */
export const isCharacterWord = (text: string): boolean => wholeCharacter.test(text)

const wholeCharacter = new RegExp(String.raw`^(?:[${characterWords}ー]\p{M}*|\p{Extended_Pictographic})$`, 'u')

function normalized(text: string): string {
  const bare = text.normalize('NFKD').replace(accents, '')
  const cased = bare.toLowerCase().toUpperCase().toLowerCase().normalize('NFKD').replace(accents, '')
  return cased.replaceAll('ς', 'σ').normalize('NFC')
}

/** Never splits a character. */
function cut(text: string): string {
  if (text.length <= maxWordLength) return text
  const last = text.charCodeAt(maxWordLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxWordLength - 1 : maxWordLength)
}

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
