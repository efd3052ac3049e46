import { createHash } from 'node:crypto'

/** Remembers states of files in 16 bytes each or less, by digests of 64 bits. */
export interface SeenFiles {
  add(state: string): void
  has(state: string): boolean
}

const firstSize = 4_096

/** An open-addressing table, since a set of a million texts would take a hundred megabytes. */
export function createSeenFiles(): SeenFiles {
  let table = new BigUint64Array(firstSize)
  let count = 0

  const placeOf = (key: bigint, slots: BigUint64Array): number => {
    let place = Number(key % BigInt(slots.length))
    while (slots[place] !== 0n && slots[place] !== key) place = (place + 1) % slots.length
    return place
  }
  const grow = (): void => {
    const larger = new BigUint64Array(table.length * 2)
    for (const key of table) if (key !== 0n) larger[placeOf(key, larger)] = key
    table = larger
  }
  return {
    add(state) {
      if (2 * count >= table.length) grow()
      const key = keyOf(state)
      const place = placeOf(key, table)
      if (table[place] === 0n) count += 1
      table[place] = key
    },
    has: (state) => table[placeOf(keyOf(state), table)] !== 0n,
  }
}

/** Never 0, which marks a free slot. */
const keyOf = (state: string): bigint => createHash('sha256').update(state).digest().readBigUInt64LE() || 1n
