/** How many bytes a hash is of: the beginning of a pattern is found by it. */
export const gramLength = 6

const base = 0x01000193
/** The weight of the byte that leaves the window. */
const leaving = power(gramLength - 1)

/** The hash of the bytes that begin at this place; as many as {@link gramLength} by default. */
export function hashAt(bytes: Uint8Array, at: number, length = gramLength): number {
  let hash = 0
  for (let index = at; index < at + length; index += 1) hash = (Math.imul(hash, base) + (bytes[index] ?? 0)) | 0
  return hash
}

/** The hash of the window one byte further. */
export const rolled = (hash: number, left: number, entered: number): number =>
  (Math.imul((hash - Math.imul(left, leaving)) | 0, base) + entered) | 0

function power(exponent: number): number {
  let value = 1
  for (let count = 0; count < exponent; count += 1) value = Math.imul(value, base)
  return value
}

/** A set of hashes that may also have others. */
export function createHashFilter(expected: number) {
  const bits = Math.max(16, Math.ceil(Math.log2(Math.max(1, expected) * 16)))
  const words = new Uint32Array(2 ** (bits - 5))
  const shift = 32 - bits
  const slotOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> shift
  return {
    add(hash: number): void {
      const slot = slotOf(hash)
      words[slot >>> 5] = (words[slot >>> 5] ?? 0) | (1 << (slot & 31))
    },
    has(hash: number): boolean {
      const slot = slotOf(hash)
      return ((words[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
    },
  }
}
export type HashFilter = ReturnType<typeof createHashFilter>

/** Numbers by pairs of hashes, which are taken for what they are hashes of. */
export function createPairTable(expected: number) {
  const bits = Math.max(4, Math.ceil(Math.log2(Math.max(1, expected) * 2)))
  const size = 2 ** bits
  const firsts = new Int32Array(size)
  const seconds = new Int32Array(size)
  /** The number and one; 0: the slot is free. */
  const numbers = new Uint16Array(size)
  const slotOf = (first: number, second: number): number => {
    let slot = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0x9e3779b1) >>> (32 - bits)
    while (numbers[slot] !== 0 && (firsts[slot] !== first || seconds[slot] !== second)) slot = (slot + 1) & (size - 1)
    return slot
  }
  return {
    add(first: number, second: number, number: number): void {
      const slot = slotOf(first, second)
      if (numbers[slot] !== 0) return
      firsts[slot] = first
      seconds[slot] = second
      numbers[slot] = number + 1
    },
    /** -1: there is none. */
    find: (first: number, second: number): number => (numbers[slotOf(first, second)] ?? 0) - 1,
  }
}
export type PairTable = ReturnType<typeof createPairTable>
