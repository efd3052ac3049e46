import { decodeEscapes, hasEscapes } from './decode-escapes.js'
import { encodingsOf, rot13 } from './encodings.js'
import { piecesOf } from './pieces.js'
import { bytesOf, unitsOf } from './units.js'
import { inView, type View } from './views.js'

/** A part of a secret in one of its encodings, as bytes of a view. */
export interface Pattern {
  readonly view: View
  readonly bytes: Uint8Array
  /**
   * `whole`: it is masked as a whole. `parts`: everywhere from {@link partLength} bytes on. An
   * array: from there on at these places.
   */
  readonly masked: 'whole' | 'parts' | { readonly at: readonly number[] }
}

/** The fewest bytes of a secret that are masked alone. */
export const partLength = 12
/** The fewest bytes of a pattern, by view: fewer letters would be in ordinary texts. */
const minLength: Readonly<Record<View, number>> = { letters: 8, signs: 6 }

/** All patterns of a value. */
export function* patternsOf(value: string): Iterable<Pattern> {
  for (const piece of piecesOf(value)) yield* patternsOfPiece(piece)
}

function* patternsOfPiece(piece: string): Iterable<Pattern> {
  const plain = [piece, reversed(piece), rot13(piece)]
  for (const text of plain) {
    yield* lettersOf(text)
    yield* signsOf(text)
  }
  for (const { text, isRandom } of encodingsOf(piece, isRandomText(piece))) {
    const bytes = inView(bytesOf(text, true), 'letters')
    if (bytes.length >= minLength.letters)
      yield { view: 'letters', bytes, masked: isRandom && bytes.length >= partLength ? 'parts' : 'whole' }
  }
}

function* lettersOf(text: string): Iterable<Pattern> {
  for (const bytes of folds(text, 'letters')) {
    yield { view: 'letters', bytes, masked: 'whole' }
    const at = randomPlaces(text, bytes)
    if (at.length > 0) yield { view: 'letters', bytes, masked: { at } }
  }
}

/** Where signs are much of a text, or its beginning or end, letters alone would leave them. */
function* signsOf(text: string): Iterable<Pattern> {
  if (inView(bytesOf(text, true), 'letters').length >= minLength.letters && !/^[!-/:-@[-`{-~]|[!-/:-@[-`{-~]{3}|[!-/:-@[-`{-~]$/.test(text))
    return
  for (const bytes of folds(text, 'signs')) yield { view: 'signs', bytes, masked: 'whole' }
}

/**
 * With other letters than those of ASCII in lower case and as they are, since escapes may stand for
 * both; and with what looks like an escape in the text itself replaced, as it is in a decoded text.
 */
function folds(text: string, view: View): readonly Uint8Array[] {
  const all = [inView(bytesOf(text, true), view), inView(bytesOf(text, false), view), inView(Buffer.from(text, 'utf8'), view)]
  const decoded = hasEscapes(text) ? decodeEscapes(unitsOf(text, true), true) : undefined
  if (decoded) all.push(inView(decoded.bytes.subarray(0, decoded.length), view))
  return all.filter(
    (bytes, index) => bytes.length >= minLength[view] && all.findIndex((other) => Buffer.compare(bytes, other) === 0) === index,
  )
}

const reversed = (text: string): string => [...text].reverse().join('')

type Kind = 'lower' | 'upper' | 'digit'
const kindOf = (code: number): Kind | undefined =>
  code >= 0x30 && code <= 0x39 ? 'digit' : code >= 0x41 && code <= 0x5a ? 'upper' : code >= 0x61 && code <= 0x7a ? 'lower' : undefined

/** How often the kind of character changes in a part that is masked alone. */
const minChanges = 3

/** Where parts of a text begin that look like random ones, not like words or numbers. */
function randomPlaces(text: string, bytes: Uint8Array): readonly number[] {
  if (!isRandomText(text)) return []
  const kinds = Array.from(text, (character) => kindOf(character.charCodeAt(0))).filter((kind) => kind !== undefined)
  // Only ASCII has one byte for each character.
  if (kinds.length !== bytes.length) return []
  const places: number[] = []
  for (let at = 0; at + partLength <= kinds.length; at += 1) if (changes(kinds, at, at + partLength) >= minChanges) places.push(at)
  return places
}

function changes(kinds: readonly Kind[], from: number, to: number): number {
  let count = 0
  for (let at = from + 1; at < to; at += 1) if (kinds[at] !== kinds[at - 1]) count += 1
  return count
}

/** Whether a text is a token or a key rather than words or an address. */
function isRandomText(text: string): boolean {
  if (/[^\S\r\n]/.test(text) || text.includes('://')) return false
  const kinds = Array.from(text, (character) => kindOf(character.charCodeAt(0))).filter((kind) => kind !== undefined)
  return kinds.length >= partLength && changes(kinds, 0, kinds.length) >= Math.max(minChanges, kinds.length / 8)
}
