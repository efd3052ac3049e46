import { createRandom, type Random } from '../../support/random.js'

/**
 * Characters of one to eleven UTF-16 code units: what a person writes, and what breaks where code
 * units are mistaken for bytes or characters.
 */
const alphabet = [
  'a',
  'Z',
  '7',
  ' ',
  '\n',
  'é',
  'e\u0301',
  'ß',
  '你',
  '好',
  '語',
  'は',
  '한',
  '😀',
  '𠮷',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇩🇪',
  '"',
  '\\',
  '\u2028',
] as const

/** The same text for the same name and length, which counts characters. */
export function longText(name: string, length: number): string {
  const random = createRandom([...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7))
  return Array.from({ length }, () => random.pick(alphabet)).join('')
}

/** A text in pieces of any length, cut between any two code units, as vendors do it. */
export function piecesOf(text: string, random: Random, longest: number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + random.between(1, longest)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
