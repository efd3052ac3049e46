/** Something found in more than one way. */
export interface FusedRank {
  /** As the lists name it. */
  readonly id: string
  /** Higher is better; of use only beside others of the same answer. */
  readonly score: number
}

/**
 * Joins lists of ids, the best first in each, by reciprocal rank: each list adds 1 / (k + place) to
 * what it names, from place 1. The best come first; of equal ones the one that an earlier list names
 * first. An id that a list has twice counts by its first place. `k` is 60 by default: the larger, the
 * less the first places of one list outweigh being in several.
 */
export function fuseRanks(lists: readonly (readonly string[])[], { k = 60 }: { readonly k?: number } = {}): readonly FusedRank[] {
  const scores = new Map<string, number>()
  for (const list of lists)
    for (const [index, id] of [...new Set(list)].entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + index + 1))
  return [...scores].map(([id, score]) => ({ id, score })).sort((one, other) => other.score - one.score)
}
