/** A place in a text, in UTF-16 code units; `end` is exclusive. */
export type Mark = { readonly start: number; readonly end: number }

/** A word of the query, normalised. `isPrefix`: it also matches the beginning of a word. */
export interface QueryWord {
  readonly word: string
  readonly isPrefix: boolean
}

/** The words found in a text. */
export interface FoundWords {
  /** In the order of the text, without overlaps. */
  readonly marks: readonly Mark[]
  /** Whether every word was found. */
  readonly all: boolean
}

/** In scripts without spaces between words, each character is a word. */
const lone = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}ー`
const wordPattern = new RegExp(
  String.raw`[${lone}]\p{M}*|(?:(?![${lone}])[\p{L}\p{N}\p{Co}])(?:(?![${lone}])[\p{L}\p{N}\p{Co}\p{M}])*|\p{Extended_Pictographic}`,
  'gu',
)
const loneCharacter = new RegExp(String.raw`^(?:[${lone}]\p{M}*|\p{Extended_Pictographic})$`, 'u')
const piecePattern = /["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/gu

/**
 * The searched length of a text and of a query, in UTF-16 code units, and the most words of a
 * query.
 */
const maxTextLength = 100_000
const maxQueryLength = 1_000
const maxWords = 32
/**
 * After all words were found, marks further than this after the first one are not needed: a snippet
 * is shorter.
 */
const markWindow = 400

/** The words of a query. The last one is a prefix, unless it is in quotation marks. */
export function queryWords(query: string): readonly QueryWord[] {
  const words: QueryWord[] = []
  for (const [whole, phrase] of query.slice(0, maxQueryLength).matchAll(piecePattern)) {
    const found = [...(phrase ?? whole).matchAll(wordPattern)].map(([word]) => level(word)).filter((word) => word !== '')
    for (const [index, word] of found.entries()) {
      const last = index === found.length - 1 && phrase === undefined
      words.push({ word, isPrefix: last && !loneCharacter.test(word) })
    }
  }
  const kept = words.slice(0, maxWords)
  return kept.map((sought, index) => (index === kept.length - 1 ? sought : { ...sought, isPrefix: false }))
}

/**
 * Finds words in a text, ignoring case, accents and widths, by the rules of the database's text
 * index. After all of them were found, it searches only as far as a snippet could reach.
 */
export function findWords(text: string, sought: readonly QueryWord[]): FoundWords {
  const whole = new Set(sought.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word))
  const beginnings = sought.filter(({ isPrefix }) => isPrefix).map(({ word }) => word)
  const missing = new Set(sought.map(({ word }) => word))
  const marks: Mark[] = []
  /** Most words of a text occur repeatedly. */
  const levels = new Map<string, string>()
  for (const match of text.slice(0, maxTextLength).matchAll(wordPattern)) {
    if (missing.size === 0 && match.index > (marks[0]?.start ?? 0) + markWindow) break
    const word = levels.get(match[0]) ?? level(match[0])
    levels.set(match[0], word)
    const beginning = beginnings.find((start) => word.startsWith(start))
    if (!whole.has(word) && beginning === undefined) continue
    missing.delete(word)
    if (beginning !== undefined) missing.delete(beginning)
    marks.push({ start: match.index, end: match.index + match[0].length })
  }
  return { marks, all: missing.size === 0 }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ascii = /^[\u0000-\u007f]*$/
/**
 * Ignored marks: those on Latin, Greek and other letters, and those of the Cyrillic, Hebrew and
 * Arabic scripts.
 */
const accents = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0483-\u0487`,
    String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
    String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`,
  ].join('')}]`,
  'gu',
)

function level(word: string): string {
  if (ascii.test(word)) return word.toLowerCase()
  const bare = word.normalize('NFKD').replace(accents, '')
  const cased = bare.toLowerCase().toUpperCase().toLowerCase().normalize('NFKD').replace(accents, '')
  return cased.replaceAll('ς', 'σ').normalize('NFC')
}
