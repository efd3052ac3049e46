/**
 * The generation of the rules below. Raised with each change of them: then every text index is filled anew at the next start.
 */
export const wordsGeneration = 1

/** Of a longer word the beginning counts, in the index and in a search. In UTF-16 units. */
const maxWordLength = 64

/** Where writing has no spaces between words, each character is a word of its own, and so is a pictogram. */
const characterWords =
  String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}`

const word = new RegExp(
  [
    // A character with what is written at it; the prolonged sound mark is of no script.
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
 * Marks that make no difference between words. Those of Indic and South-East Asian scripts and the voicing of kana are letters in their own right, and
 * are not here.
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
 * The words of a text in the form that is compared, in their order. Case, accents and widths of letters are levelled (Unicode NFKD, full case mapping by
 * way of upper case, so that ß is ss); everything between words is left out.
 */
export function wordsOf(text: string): readonly string[] {
  if (ascii.test(text)) return (text.toLowerCase().match(plainWord) ?? []).map(cut)
  return (levelled(text).match(word) ?? []).map(cut)
}

/** Whether a word is one character of a script that has no spaces, or a pictogram: then it never goes on. */
export const isCharacterWord = (text: string): boolean => wholeCharacter.test(text)

const wholeCharacter = new RegExp(String.raw`^(?:[${characterWords}ー]\p{M}*|\p{Extended_Pictographic})$`, 'u')

function levelled(text: string): string {
  const bare = text.normalize('NFKD').replace(accents, '')
  const cased = bare.toLowerCase().toUpperCase().toLowerCase().normalize('NFKD').replace(accents, '')
  return cased.replaceAll('ς', 'σ').normalize('NFC')
}

/** Never cuts a character in two. */
function cut(text: string): string {
  if (text.length <= maxWordLength) return text
  const last = text.charCodeAt(maxWordLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxWordLength - 1 : maxWordLength)
}
