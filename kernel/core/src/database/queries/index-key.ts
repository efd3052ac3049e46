import type { IndexValue } from '@agent-service/sdk/services/database'
import { isWellFormed } from '../documents/check-document.js'

/** The longest string in a stored index key, in bytes of UTF-8. */
export const maxKeyStringBytes = 1000

const tags = { null: 0x01, false: 0x02, true: 0x03, number: 0x04, string: 0x05 } as const

/**
 * Why a value cannot be part of a key; undefined if it can. `stored`: also checks the limit of
 * stored keys.
 */
export function indexValueProblem(value: unknown, options: { readonly stored: boolean }): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}, which an index cannot hold`
  if (typeof value !== 'string') return 'is in an index and must be null, a boolean, a number or a string'
  if (!isWellFormed(value)) return 'has a lone surrogate, which is not Unicode text'
  if (!options.stored || value.length * 3 <= maxKeyStringBytes) return undefined
  const bytes = Buffer.byteLength(value)
  return bytes > maxKeyStringBytes ? `is in an index and has ${bytes} bytes, more than ${maxKeyStringBytes}` : undefined
}

/**
 * Encodes values so that comparing the bytes compares the values, field by field: null, false,
 * true, numbers by value, strings by Unicode code point. The encoding of some leading fields is a
 * prefix of exactly those keys that begin with equal values. Stored data depends on it: it never
 * changes. See the decision record on keys.
 */
export function encodeIndexKey(values: readonly IndexValue[]): Uint8Array {
  const key = Buffer.allocUnsafe(values.reduce<number>((size, value) => size + encodedSize(value), 0))
  let at = 0
  for (const value of values) at = write(key, at, value)
  return key
}

/** The least key above every key with this prefix; undefined if there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const end = Uint8Array.from(prefix.subarray(0, length))
  end[length - 1] = (end[length - 1] ?? 0) + 1
  return end
}

function encodedSize(value: IndexValue): number {
  if (typeof value === 'number') return 9
  if (typeof value !== 'string') return 1
  return Buffer.byteLength(value) + (value.includes('\0') ? value.split('\0').length - 1 : 0) + 3
}

/** Writes one value and returns the offset after it. */
function write(key: Buffer, at: number, value: IndexValue): number {
  if (typeof value === 'number') return writeNumber(key, at, value)
  if (typeof value === 'string') return writeString(key, at, value)
  return key.writeUInt8(value === null ? tags.null : value ? tags.true : tags.false, at)
}

/**
 * IEEE 754, big-endian. Positive numbers get their sign bit set, negative ones all bits inverted:
 * then bytes are in the order of values.
 */
function writeNumber(key: Buffer, at: number, value: number): number {
  key[at] = tags.number
  key.writeDoubleBE(value === 0 ? 0 : value, at + 1)
  const first = key[at + 1] ?? 0
  if (first < 0x80) key[at + 1] = first | 0x80
  else for (let index = at + 1; index < at + 9; index++) key[index] = ~(key[index] ?? 0) & 0xff
  return at + 9
}

/**
 * UTF-8, whose bytes are in the order of code points. A NUL becomes 00 FF, the end is 00 00: so “a”
 * is before “a\0”, and no end is inside another string.
 */
function writeString(key: Buffer, at: number, value: string): number {
  let end = key.writeUInt8(tags.string, at)
  if (!value.includes('\0')) return key.writeUInt16BE(0, end + key.write(value, end))
  for (const [index, piece] of value.split('\0').entries()) {
    if (index > 0) end = key.writeUInt16BE(0x00ff, end)
    end += key.write(piece, end)
  }
  return key.writeUInt16BE(0, end)
}
