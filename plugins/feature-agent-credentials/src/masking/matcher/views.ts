import type { Units } from './units.js'

/**
 * In which way characters are compared. `letters`: letters and digits alone, whatever stands
 * between them. `signs`: all characters but spaces, quotation marks, backslashes, commas and
 * dashes. In both, ASCII in lower case.
 */
export type View = 'letters' | 'signs'

/** No byte of a pattern; stands where a text cannot go on from what is before. */
export const boundary = 0

/** How many characters that do not count may stand between two that do. */
const maxGap = 64

/** The byte that counts in this view; 0: it does not. */
export function viewTable(view: View): Uint8Array {
  const table = new Uint8Array(256)
  for (let byte = 0x21; byte < 256; byte += 1) {
    if (byte === 0x7f) continue
    const isUpper = byte >= 0x41 && byte <= 0x5a
    const isLetter = isUpper || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte >= 0x80
    if (isLetter || (view === 'signs' && !ignoredSigns.has(byte))) table[byte] = isUpper ? byte | 0x20 : byte
  }
  return table
}

const ignoredSigns: ReadonlySet<number> = new Set(Array.from('\'"`\\,-', (sign) => sign.charCodeAt(0)))
const tables: Readonly<Record<View, Uint8Array>> = { letters: viewTable('letters'), signs: viewTable('signs') }

/** The bytes that count. */
export function inView(bytes: Iterable<number>, view: View): Uint8Array {
  const table = tables[view]
  const kept: number[] = []
  for (const byte of bytes) {
    const counted = table[byte] ?? 0
    if (counted !== 0) kept.push(counted)
  }
  return Uint8Array.from(kept)
}

/** The units that count, with a boundary where too much lies between two of them, or after the last one until the end. */
export function unitsInView(units: Units, view: View, end: number): Units {
  const table = tables[view]
  const capacity = units.length * 2 + 1
  const bytes = new Uint8Array(capacity)
  const starts = new Int32Array(capacity)
  const ends = new Int32Array(capacity)
  let length = 0
  let last = 0
  for (let at = 0; at < units.length; at += 1) {
    const counted = table[units.bytes[at] ?? 0] ?? 0
    if (counted === 0) continue
    const start = units.starts[at] ?? 0
    if (start - last > maxGap && length > 0) {
      bytes[length] = boundary
      starts[length] = start
      ends[length] = start
      length += 1
    }
    last = units.ends[at] ?? 0
    bytes[length] = counted
    starts[length] = start
    ends[length] = last
    length += 1
  }
  if (end - last > maxGap && length > 0) {
    starts[length] = end
    ends[length] = end
    length += 1
  }
  return { length, bytes, starts, ends }
}
