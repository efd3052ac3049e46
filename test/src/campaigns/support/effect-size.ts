/**
 * How far two samples can be told apart, from -1 to 1 (Cliff's delta): the chance that one of the
 * first is larger than one of the second, less the chance that it is smaller.
 */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number {
  if (first.length === 0 || second.length === 0) throw new RangeError('An effect size needs two samples.')
  const sorted = [...second].sort((a, b) => a - b)
  let sum = 0
  for (const value of first) sum += countBelow(sorted, value, false) - (sorted.length - countBelow(sorted, value, true))
  return sum / (first.length * sorted.length)
}

/** How many of a sorted list are smaller, or not larger. */
function countBelow(sorted: readonly number[], value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = sorted[middle] ?? 0
    if (at < value || (orEqual && at === value)) low = middle + 1
    else high = middle
  }
  return low
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
