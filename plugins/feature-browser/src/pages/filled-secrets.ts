/** The secrets that were filled in at each origin, which a later page of it may show. Of one session, in memory alone. */
export interface FilledSecrets {
  add(origin: string, value: string): void
  at(origin: string): readonly string[]
}

/** So many of one origin, and origins; the oldest give way. */
const maxKept = 50

export function createFilledSecrets(): FilledSecrets {
  const byOrigin = new Map<string, readonly string[]>()
  return {
    add(origin, value) {
      const others = (byOrigin.get(origin) ?? []).filter((each) => each !== value)
      byOrigin.delete(origin)
      byOrigin.set(origin, [...others, value].slice(-maxKept))
      for (const oldest of byOrigin.keys()) {
        if (byOrigin.size <= maxKept) break
        byOrigin.delete(oldest)
      }
    },
    at: (origin) => byOrigin.get(origin) ?? [],
  }
}

/** In the one form that documents say of themselves: lower case, punycode, without a usual port. `null`: it has none. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null')
