/**
 * A text as bytes, each with the part of the text that it stands for: ASCII as it is, other letters
 * as UTF-8 of their lower case (halves of surrogate pairs each for itself), and a space for what is
 * not visible.
 */
export interface Units {
  readonly length: number
  readonly bytes: Uint8Array
  /** Offsets into the text, in UTF-16 code units. */
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const space = 0x20
const dash = 0x2d
const escapeCode = 0x1b
/** The longest control sequence of a terminal that is left out. */
const maxSequence = 32

/** Collects units. */
export function createUnits(capacity: number) {
  const bytes = new Uint8Array(capacity)
  const starts = new Int32Array(capacity)
  const ends = new Int32Array(capacity)
  let length = 0
  return {
    add(byte: number, start: number, end: number): void {
      bytes[length] = byte
      starts[length] = start
      ends[length] = end
      length += 1
    },
    done: (): Units => ({ length, bytes, starts, ends }),
  }
}

/**
 * The units of a text. Control sequences of terminals are left out. Unless it is `final`, one that
 * is incomplete at the end is left out too.
 */
export function unitsOf(text: string, final: boolean): Units {
  const units = createUnits(text.length * 3)
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === escapeCode) {
      const end = endOfSequence(text, at)
      if (end === undefined && !final) break
      at = end ?? at + 1
    } else {
      if (code < 0x80) units.add(code, at, at + 1)
      else addCode(foldedCode(code), at, at + 1, units.add)
      at += 1
    }
  }
  return units.done()
}

/** The bytes of a text that a unit stream of it has, with all letters in lower case or as they are. */
export function bytesOf(text: string, fold: boolean): readonly number[] {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    addCode(fold ? foldedCode(code) : code, at, at + 1, (byte) => bytes.push(byte))
  }
  return bytes
}

/** Adds a code unit as UTF-8. */
export function addCode(code: number, start: number, end: number, add: (byte: number, start: number, end: number) => unknown): void {
  if (code < 0x80) add(code, start, end)
  else {
    if (code < 0x800) add(0xc0 | (code >> 6), start, end)
    else {
      add(0xe0 | (code >> 12), start, end)
      add(0x80 | ((code >> 6) & 0x3f), start, end)
    }
    add(0x80 | (code & 0x3f), start, end)
  }
}

/** The end of a control sequence (ECMA-48, 5.4); `undefined` if the text may go on with it. */
function endOfSequence(text: string, start: number): number | undefined {
  if (start + 1 === text.length) return undefined
  if (text[start + 1] !== '[') return start + 1
  for (let at = start + 2; at < start + maxSequence; at += 1) {
    if (at >= text.length) return undefined
    const code = text.charCodeAt(at)
    if (code >= 0x40 && code <= 0x7e) return at + 1
    if (code < 0x20) return at
  }
  return start + 1
}

const foldedCodes = new Map<number, number>()
const maxFolded = 5_000

function foldedCode(code: number): number {
  if (code < 0x80) return code
  const known = foldedCodes.get(code)
  if (known !== undefined) return known
  const folded = fold(code)
  if (foldedCodes.size < maxFolded) foldedCodes.set(code, folded)
  return folded
}

function fold(code: number): number {
  // The full-width forms of ASCII.
  if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0
  const character = String.fromCharCode(code)
  if (/[\p{Pd}\u00b7\u2022\u2212]/u.test(character)) return dash
  if (code < 0xd800 || code > 0xdfff) {
    if (/[\p{C}\p{Z}\p{Mn}\u115f\u1160\u3164\uffa0]/u.test(character)) return space
    const lower = character.toLowerCase()
    if (lower.length === 1) return lower.charCodeAt(0)
  }
  return code
}
