/**
 * Ranks of an encoding's tokens by their bytes, one character per byte (Latin-1). Lower ranks merge
 * first.
 */
export interface TokenRanks {
  readonly ranks: ReadonlyMap<string, number>
  /** The length of the longest token, in bytes. */
  readonly maxLength: number
}

const none = -1
/** A position and a rank in one exactly represented number. */
const positions = 2 ** 32

/**
 * Counts the tokens of a piece of text, one byte per character, by merging the neighbours of the
 * lowest rank first, from the left. A heap keeps the pairs, so that any piece of n bytes takes n ·
 * log n steps.
 */
export function countMerged(piece: string, { ranks, maxLength }: TokenRanks): number {
  const size = piece.length
  if (size < 2) return size
  /** Where the token after the one at a position begins; `size` behind the last. */
  const next = new Uint32Array(size)
  /** Where the token before it begins, plus one; 0 before the first. */
  const previous = new Uint32Array(size)
  /** The rank of the token at a position merged with the one after it. */
  const merged = new Int32Array(size).fill(none)
  const heap = createHeap(size)
  let count = size

  const look = (at: number): void => {
    const second = next[at] ?? size
    const end = second < size ? (next[second] ?? size) : size
    const rank = second < size && end - at <= maxLength ? (ranks.get(piece.slice(at, end)) ?? none) : none
    merged[at] = rank
    if (rank !== none) heap.push(rank * positions + at)
  }

  for (let at = 0; at < size; at += 1) {
    next[at] = at + 1
    previous[at] = at
  }
  for (let at = 0; at < size; at += 1) look(at)
  for (let lowest = heap.pop(); lowest !== undefined; lowest = heap.pop()) {
    const at = lowest % positions
    // The pair has changed since it was pushed.
    if (merged[at] !== Math.floor(lowest / positions)) continue
    const absorbed = next[at] ?? size
    const after = next[absorbed] ?? size
    merged[absorbed] = none
    next[at] = after
    if (after < size) previous[after] = at + 1
    count -= 1
    look(at)
    const before = previous[at] ?? 0
    if (before > 0) look(before - 1)
  }
  return count
}

interface Heap {
  push(value: number): void
  /** Removes and returns the smallest number. */
  pop(): number | undefined
}

/** Numbers by size. Grows beyond `expected`. */
function createHeap(expected: number): Heap {
  let values = new Float64Array(expected * 2)
  let length = 0
  const at = (index: number): number => values[index] ?? Number.POSITIVE_INFINITY

  return {
    push(value) {
      if (length === values.length) {
        const larger = new Float64Array(length * 2)
        larger.set(values)
        values = larger
      }
      let index = length
      length += 1
      while (index > 0) {
        const parent = (index - 1) >> 1
        if (at(parent) <= value) break
        values[index] = at(parent)
        index = parent
      }
      values[index] = value
    },
    pop() {
      if (length === 0) return undefined
      const smallest = at(0)
      length -= 1
      const value = at(length)
      let index = 0
      for (;;) {
        let child = 2 * index + 1
        if (child >= length) break
        if (child + 1 < length && at(child + 1) < at(child)) child += 1
        if (at(child) >= value) break
        values[index] = at(child)
        index = child
      }
      values[index] = value
      return smallest
    },
  }
}
