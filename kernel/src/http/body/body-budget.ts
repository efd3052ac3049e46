/** How many bytes of unread bodies the whole service may hold. */
export interface BodyBudget {
  /** False when there is no room for so many more. */
  take(bytes: number): boolean
  give(bytes: number): void
  readonly used: () => number
}

/** Makes an empty budget of `total` bytes. */
export function createBodyBudget(total: number): BodyBudget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > total) return false
      used += bytes
      return true
    },
    give(bytes) {
      used -= bytes
    },
    used: () => used,
  }
}
