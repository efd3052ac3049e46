/**
 * Counts of durations, in buckets that are 2 per cent wide, so that any number of them takes the
 * same memory.
 */
export interface DelayFigures {
  add(milliseconds: number): void
  /** The duration that this share of them does not exceed, 0 to 1. */
  quantile(share: number): number
  count(): number
}

const width = 1.02
/** Shorter delays are not distinguished, in milliseconds. */
const smallest = 0.1

export function createDelayFigures(): DelayFigures {
  const buckets: number[] = []
  let count = 0
  return {
    add(milliseconds) {
      const bucket = Math.max(0, Math.ceil(Math.log(Math.max(milliseconds, smallest) / smallest) / Math.log(width)))
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
      count += 1
    },
    quantile(share) {
      let seen = 0
      for (const [bucket, times = 0] of buckets.entries()) {
        seen += times
        if (seen >= count * share) return smallest * width ** bucket
      }
      return 0
    },
    count: () => count,
  }
}

/** The middle of some values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The first and the last third of some values, in order of time. */
export function thirds<T>(values: readonly T[]): { readonly first: readonly T[]; readonly last: readonly T[] } {
  const size = Math.floor(values.length / 3)
  return { first: values.slice(0, size), last: size === 0 ? [] : values.slice(-size) }
}

/**
 * Says so when memory, in MiB over time, is not flat: the median of the last third is more than a
 * fifth, and 24 MiB, above that of the first.
 */
export function growth(memory: readonly number[]): string | undefined {
  const { first, last } = thirds(memory)
  const [before, after] = [median(first), median(last)]
  if (after <= before * 1.2 || after <= before + 24) return undefined
  return `memory grew from ${before.toFixed(0)} MiB in the first third to ${after.toFixed(0)} MiB in the last`
}
