/** A source of numbers from 0 up to 1 that gives the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * The seed of this run: the given one, else the time. Print it, so that a failure can be repeated.
 */
export const seedOfRun = (asked: string | undefined): number => Number(asked ?? Date.now() % 1_000_000_000)

/**
 * The number of random chunkings of each recording: the given one, else 20. A full run uses 200.
 */
export const chunkingsOfRun = (asked: string | undefined): number => Number(asked ?? 20)

/** The number of damaged answers of each family: the given one, else 20. */
export const damagesOfRun = (asked: string | undefined): number => Number(asked ?? 20)

/** Cuts bytes at random borders, many of them inside characters and lines. */
export function cutRandomly(bytes: Uint8Array, random: () => number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const length = random() < 0.2 ? 1 : 1 + Math.floor(random() * 400)
    pieces.push(bytes.subarray(start, start + length))
    start += length
  }
  return pieces
}
