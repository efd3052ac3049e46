import { decodeHTML } from 'entities'
import { addCode, createUnits, type Units } from './units.js'

/** What an escape stands for: code units, or a byte, and how many units it takes. */
interface Escape {
  readonly length: number
  readonly codes?: readonly number[]
  readonly byte?: number
}

/** An escape may go on behind the end. */
const incomplete = Symbol('incomplete')
type Found = Escape | typeof incomplete | undefined

const percent = 0x25
const ampersand = 0x26
const backslash = 0x5c
const equals = 0x3d
const space = 0x20

/** Whether a text may contain escapes. */
export const hasEscapes = (text: string): boolean => /[%&\\]/.test(text)

/** Whether a text may be quoted-printable. */
export const hasQuotedPrintable = (text: string): boolean => /=(?:[0-9a-f]{2}|[ \t]*\r?\n|[0-9a-f]?$)/i.test(text)

/**
 * The units with escapes of URLs, HTML, JSON, C and shells replaced once by what they stand for.
 * `undefined`: there are none. Unless it is `final`, an escape that is incomplete at the end is
 * left out.
 */
export const decodeEscapes = (units: Units, final: boolean): Units | undefined => decode(units, final, escapeAt)

/** As {@link decodeEscapes}, for quoted-printable (RFC 2045, 6.7). */
export const decodeQuotedPrintable = (units: Units, final: boolean): Units | undefined => decode(units, final, quotedPrintableAt)

function decode(units: Units, final: boolean, find: (units: Units, at: number) => Found): Units | undefined {
  const { bytes, starts, ends, length } = units
  const decoded = createUnits(length * 3)
  let found = 0
  for (let at = 0; at < length; ) {
    const byte = bytes[at] ?? 0
    const isSpecial = byte === percent || byte === ampersand || byte === backslash || byte === equals
    const known = isSpecial ? find(units, at) : undefined
    if (known === incomplete && !final) {
      found += 1
      break
    }
    if (known === undefined || known === incomplete) {
      decoded.add(byte, starts[at] ?? 0, ends[at] ?? 0)
      at += 1
      continue
    }
    found += 1
    const start = starts[at] ?? 0
    const end = ends[at + known.length - 1] ?? start
    if (known.byte !== undefined) decoded.add(known.byte, start, end)
    for (const code of known.codes ?? []) addCode(code, start, end, decoded.add)
    at += known.length
  }
  return found === 0 ? undefined : decoded.done()
}

function escapeAt(units: Units, at: number): Found {
  switch (units.bytes[at]) {
    case percent:
      return percentAt(units, at)
    case ampersand:
      return entityAt(units, at)
    case backslash:
      return backslashAt(units, at)
    default:
      return undefined
  }
}

/** `%41`, `%u0041`. */
function percentAt(units: Units, at: number): Found {
  const isLong = units.bytes[at + 1] === 0x75
  const digits = digitsAt(units, at + (isLong ? 2 : 1), 16, isLong ? 4 : 2)
  if (digits.isFull) return isLong ? { length: 6, codes: [digits.value] } : { length: 3, byte: digits.value }
  return digits.isAtEnd ? incomplete : undefined
}

const maxEntityName = 12

/** `&#65;`, `&#x41;`, `&amp;`; numbers also without the semicolon. */
function entityAt(units: Units, at: number): Found {
  const { bytes, length } = units
  if (at + 1 >= length) return incomplete
  if (bytes[at + 1] === 0x23) {
    const isHex = ((bytes[at + 2] ?? 0) | 0x20) === 0x78
    const from = at + (isHex ? 3 : 2)
    const digits = digitsAt(units, from, isHex ? 16 : 10, 7)
    if (digits.isAtEnd) return incomplete
    if (digits.count === 0 || digits.value > 0x10ffff) return undefined
    const end = from + digits.count
    return { length: end - at + (bytes[end] === 0x3b ? 1 : 0), codes: codesOf(digits.value) }
  }
  let name = '&'
  for (let next = at + 1; next <= at + maxEntityName; next += 1) {
    if (next >= length) return incomplete
    const byte = bytes[next] ?? 0
    name += String.fromCharCode(byte)
    if (byte === 0x3b) {
      const text = decodeHTML(name)
      return text === name ? undefined : { length: name.length, codes: [...text].flatMap((one) => codesOf(one.codePointAt(0) ?? 0)) }
    }
    if (!isLetter(byte) && !(byte >= 0x30 && byte <= 0x39)) return undefined
  }
  return undefined
}

/** Escapes of JSON, JavaScript, Python, C and shells. */
function backslashAt(units: Units, at: number): Found {
  const { bytes, length } = units
  if (at + 1 >= length) return incomplete
  const kind = bytes[at + 1] ?? 0
  if (kind >= 0x30 && kind <= 0x37) {
    const digits = digitsAt(units, at + 1, 8, 3)
    if (digits.isAtEnd) return incomplete
    return { length: 1 + digits.count, byte: digits.value & 0xff }
  }
  const wanted = hexLengths.get(kind)
  if (wanted !== undefined) {
    if (bytes[at + 2] === 0x7b) {
      const digits = digitsAt(units, at + 3, 16, 7)
      if (digits.isAtEnd) return incomplete
      const isEnded = digits.count > 0 && bytes[at + 3 + digits.count] === 0x7d && digits.value <= 0x10ffff
      if (isEnded) return { length: 4 + digits.count, codes: codesOf(digits.value) }
    } else {
      const digits = digitsAt(units, at + 2, 16, wanted)
      if (digits.isFull && digits.value <= 0x10ffff)
        return { length: 2 + wanted, ...(wanted === 2 ? { byte: digits.value } : { codes: codesOf(digits.value) }) }
      if (digits.isAtEnd) return incomplete
    }
  }
  if (kind === 0x0d && at + 2 >= length) return incomplete
  if (kind === 0x0d && bytes[at + 2] === 0x0a) return { length: 3, byte: space }
  return { length: 2, byte: controls.has(kind) || kind < 0x20 ? space : kind }
}

/** `=41`, and a line that goes on in the next. */
function quotedPrintableAt(units: Units, at: number): Found {
  if (units.bytes[at] !== equals) return undefined
  let next = at + 1
  while (units.bytes[next] === space || units.bytes[next] === 0x09 || units.bytes[next] === 0x0d) next += 1
  if (next >= units.length) return incomplete
  if (units.bytes[next] === 0x0a) return { length: next + 1 - at }
  const digits = digitsAt(units, at + 1, 16, 2)
  if (digits.isFull) return { length: 3, byte: digits.value }
  return digits.isAtEnd ? incomplete : undefined
}

/** How many hexadecimal digits follow `\x`, `\u`, `\U`. */
const hexLengths: ReadonlyMap<number, number> = new Map([
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
])
/** `\a \b \e \f \n \r \t \v`. */
const controls: ReadonlySet<number> = new Set([0x61, 0x62, 0x65, 0x66, 0x6e, 0x72, 0x74, 0x76])

/** The digits from a place on, at most so many. */
function digitsAt(units: Units, from: number, base: number, most: number) {
  let value = 0
  let count = 0
  while (count < most && from + count < units.length) {
    const digit = digitOf(units.bytes[from + count] ?? 0)
    if (digit >= base) break
    value = value * base + digit
    count += 1
  }
  return { value, count, isFull: count === most, isAtEnd: count < most && from + count >= units.length }
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 16
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/** A code point as UTF-16. */
function codesOf(point: number): readonly number[] {
  if (point < 0x10000) return [point]
  const rest = point - 0x10000
  return [0xd800 | (rest >> 10), 0xdc00 | (rest & 0x3ff)]
}
