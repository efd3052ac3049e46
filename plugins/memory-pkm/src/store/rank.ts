import type { ShortMemory } from './records.js'

/**
 * A number by which short memories that are not pinned are ordered by score, the highest first, without
 * asking for the time: all scores halve in the same time, so their order never changes by itself, and a
 * prompt stays the same.
 */
export const rankOf = ({ weight, last_seen_at: lastSeenAt }: Pick<ShortMemory, 'weight' | 'last_seen_at'>, halfLifeSecs: number): number =>
  Math.log2(Math.max(weight, Number.MIN_VALUE)) + Date.parse(lastSeenAt) / 1_000 / halfLifeSecs
