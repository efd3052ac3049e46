import type { IndexValue } from '@agent-service/sdk/services/database'
import { isWellFormed } from './text.js'

/** The longest string that a stored index key takes, in bytes of UTF-8. */
export const maximumKeyStringBytes = 1000

const tags = { null: 0x01, false: 0x02, true: 0x03, number: 0x04, string: 0x05 } as const

/** Why a value cannot be a part of a key; undefined when it can. `stored`: also within the limit of stored keys. */
export function indexValueProblem(value: unknown, options: { readonly stored: boolean }): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}, which an index cannot hold`
  if (typeof value !== 'string') return 'is in an index and must be null, a boolean, a number or a string'
  if (!isWellFormed(value)) return 'has a lone surrogate, which is no Unicode text'
  if (!options.stored || value.length * 3 <= maximumKeyStringBytes) return undefined
  const bytes = Buffer.byteLength(value)
  return bytes > maximumKeyStringBytes ? `is in an index and has ${bytes} bytes, more than ${maximumKeyStringBytes}` : undefined
}

/**
 * Encodes values so that comparing the bytes compares the values, field by field: null, false, true, numbers by value, strings by Unicode code
 * point. The encoding of some leading fields is a prefix of exactly those keys that begin with equal values. Stored data depends on it: it never
 * changes. See the decision record on keys.
 */
export function encodeIndexKey(values: readonly IndexValue[]): Uint8Array {
  return Buffer.concat(values.map(encodeValue))
}

/** The least key that is greater than every key with this prefix; undefined when there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const end = Uint8Array.from(prefix.subarray(0, length))
  end[length - 1] = (end[length - 1] ?? 0) + 1
  return end
}

function encodeValue(value: IndexValue): Uint8Array {
  if (value === null) return Uint8Array.of(tags.null)
  if (typeof value === 'boolean') return Uint8Array.of(value ? tags.true : tags.false)
  return typeof value === 'number' ? encodeNumber(value) : encodeString(value)
}

/** IEEE 754, big-endian. Positive numbers get their sign bit set, negative ones all bits inverted: then bytes are in the order of values. */
function encodeNumber(value: number): Uint8Array {
  const bytes = Buffer.alloc(9)
  bytes[0] = tags.number
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1)
  const negative = (bytes[1] ?? 0) >= 0x80
  for (let index = 1; index < 9; index++) {
    if (negative) bytes[index] = ~(bytes[index] ?? 0) & 0xff
    else if (index === 1) bytes[index] = (bytes[index] ?? 0) | 0x80
  }
  return bytes
}

/** UTF-8, whose bytes are in the order of code points. A NUL becomes 00 FF, the end is 00 00: so “a” is before “a\0”, and no end is inside another string. */
function encodeString(value: string): Uint8Array {
  const text = Buffer.from(value)
  if (!text.includes(0)) return Buffer.concat([Uint8Array.of(tags.string), text, Uint8Array.of(0, 0)])
  const encoded = [tags.string as number]
  for (const byte of text) {
    encoded.push(byte)
    if (byte === 0) encoded.push(0xff)
  }
  encoded.push(0, 0)
  return Uint8Array.from(encoded)
}
