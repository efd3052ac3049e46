/** Counts things by user and together. */
export function createCounts() {
  const counts = new Map<string, number>()
  let total = 0
  const change = (userId: string, by: 1 | -1): void => {
    total += by
    const count = (counts.get(userId) ?? 0) + by
    if (count === 0) counts.delete(userId)
    else counts.set(userId, count)
  }
  return {
    add: (userId: string) => change(userId, 1),
    remove: (userId: string) => change(userId, -1),
    of: (userId: string): number => counts.get(userId) ?? 0,
    total: (): number => total,
  }
}
