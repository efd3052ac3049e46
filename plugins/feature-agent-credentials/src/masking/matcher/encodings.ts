/** A spelling of a secret, in which letters and digits are compared. */
export interface Spelling {
  readonly text: string
  /** Whether parts of it are so unlikely elsewhere that they are masked alone. */
  readonly isRandom: boolean
}

/** Longer secrets are not looked for in the rarer encodings. */
const maxRare = 1_024

/** A text in all encodings that no view decodes. `isRandom`: see {@link Spelling}. */
export function encodingsOf(text: string, isRandom: boolean): readonly Spelling[] {
  const bytes = Buffer.from(text, 'utf8')
  const frequent = [bytes.toString('hex'), ...insideBase64(bytes)]
  // What both byte orders have in common.
  const wide = Buffer.from(text, 'utf16le').subarray(0, -1)
  const whole = [wide.toString('hex'), ...insideBase64(wide)]
  if (text.length <= maxRare) {
    const once = bytes.toString('base64')
    frequent.push(...insideBase32(bytes), ...insideBase64(Buffer.from(once)), ...insideBase64(Buffer.from(bytes.toString('base64url'))))
    whole.push(...swapped(bytes), ...numbers(bytes))
    if (hasWide(text)) whole.push(...bothOrders(text))
  }
  return [...frequent.map((spelling) => ({ text: spelling, isRandom })), ...whole.map((spelling) => ({ text: spelling, isRandom: false }))]
}

/** The digits of base64 that these bytes decide, at each place in a group of three. */
const insideBase64 = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })

/** As {@link insideBase64}, for base32, with groups of five. */
const insideBase32 = (bytes: Buffer): readonly string[] =>
  [0, 1, 2, 3, 4].map((before) => {
    const digits = base32(Buffer.concat([Buffer.alloc(before), bytes]))
    return digits.slice(Math.ceil((before * 8) / 5), Math.floor(((before + bytes.length) * 8) / 5))
  })

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, 6, without padding. */
function base32(bytes: Buffer): string {
  let text = ''
  let waiting = 0
  let bits = 0
  for (const byte of bytes) {
    waiting = ((waiting << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += base32Digits[(waiting >> (bits - 5)) & 31] ?? ''
  }
  return bits === 0 ? text : text + (base32Digits[(waiting << (5 - bits)) & 31] ?? '')
}

/** Hexadecimal words of 16 bits whose bytes are swapped, as dumps show them. */
const swapped = (bytes: Buffer): readonly string[] =>
  [0, 1].map((from) => {
    const even = Buffer.from(bytes.subarray(from, bytes.length - ((bytes.length - from) % 2)))
    return even.swap16().toString('hex')
  })

/** Each byte as a number: decimal, octal, binary, and hexadecimal with `0x` or `x`. */
const numbers = (bytes: Buffer): readonly string[] => {
  const each = (word: (byte: number) => string): string => Array.from(bytes, word).join(' ')
  return [
    each((byte) => byte.toString(10)),
    each((byte) => byte.toString(10).padStart(3, '0')),
    each((byte) => byte.toString(8).padStart(3, '0')),
    each((byte) => byte.toString(2).padStart(8, '0')),
    each((byte) => `0x${byte.toString(16)}`),
    each((byte) => `x${byte.toString(16).padStart(2, '0')}`),
    each((byte) => `u00${byte.toString(16).padStart(2, '0')}`),
  ]
}

const hasWide = (text: string): boolean => /[\u0100-\uffff]/.test(text)

/** UTF-16 whose byte orders have nothing in common. */
const bothOrders = (text: string): readonly string[] => {
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(text, 'utf16le').swap16()
  return [little, big].flatMap((bytes) => [bytes.toString('hex'), ...insideBase64(bytes)])
}

/** The letters of ASCII moved by 13 places. */
export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0)
    const first = code & 0x20 ? 0x61 : 0x41
    return String.fromCharCode(first + ((code - first + 13) % 26))
  })
