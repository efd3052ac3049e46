/** Counts items per user and in total. */
export interface Counts {
  add(userId: string): void
  remove(userId: string): void
  of(userId: string): number
  total(): number
}

export function createCounts(): Counts {
  const counts = new Map<string, number>()
  let total = 0
  const change = (userId: string, by: 1 | -1): void => {
    total += by
    const count = (counts.get(userId) ?? 0) + by
    if (count === 0) counts.delete(userId)
    else counts.set(userId, count)
  }
  return {
    add: (userId) => change(userId, 1),
    remove: (userId) => change(userId, -1),
    of: (userId) => counts.get(userId) ?? 0,
    total: () => total,
  }
}
