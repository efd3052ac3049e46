/** Takes the place of one connection: the result gives it back. `undefined`: there is none. */
export type TakePlace = () => (() => void) | undefined

/** The places of connections that processes have through the service. */
export interface ConnectionShares {
  /** For the processes of one owner. */
  of(owner: string): TakePlace
}

/** Connections at a time, each of two descriptors of the service at most. */
export const maxConnections = { owner: 1_024, total: 4_096 } as const

/**
 * Shares the connections of all processes among their owners: a process has a limit of its own, and
 * with many processes an owner could still take every descriptor of the service.
 */
export function createConnectionShares(limits: { readonly owner: number; readonly total: number } = maxConnections): ConnectionShares {
  const taken = new Map<string, number>()
  let total = 0
  const change = (owner: string, by: 1 | -1): void => {
    const count = (taken.get(owner) ?? 0) + by
    total += by
    if (count === 0) taken.delete(owner)
    else taken.set(owner, count)
  }
  return {
    of: (owner) => () => {
      if (total >= limits.total || (taken.get(owner) ?? 0) >= limits.owner) return undefined
      change(owner, 1)
      let held = true
      return () => {
        if (held) change(owner, -1)
        held = false
      }
    },
  }
}

/** For what has no owners. */
export const unlimitedPlaces: TakePlace = () => () => undefined
