import { connectionsExhaustedError, tooManyConnectionsError } from '../errors.js'

/** Counts the WebSockets of each route and of each principal on it. */
export interface ConnectionCounts {
  /**
   * Takes a place, to be given back once by the result.
   * @throws `too_many_connections`, `connections_exhausted`
   */
  take(
    operation: string,
    principal: string,
    limits: { readonly maxConnections: number; readonly maxConnectionsPerPrincipal: number },
  ): () => void
}

/** Makes counts of nothing. They hold as many entries as places are taken. */
export function createConnectionCounts(): ConnectionCounts {
  const counts = new Map<string, number>()
  const change = (key: string, by: number): void => {
    const next = (counts.get(key) ?? 0) + by
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }
  return {
    take(operation, principal, { maxConnections, maxConnectionsPerPrincipal }) {
      const keys = [operation, `${operation} ${principal}`] as const
      if ((counts.get(keys[1]) ?? 0) >= maxConnectionsPerPrincipal)
        throw tooManyConnectionsError.create({ limit: maxConnectionsPerPrincipal }, { retryAfterSeconds: 5 })
      if ((counts.get(keys[0]) ?? 0) >= maxConnections)
        throw connectionsExhaustedError.create({ limit: maxConnections }, { retryAfterSeconds: 5 })
      for (const key of keys) change(key, 1)
      let taken = true
      return () => {
        if (taken) for (const key of keys) change(key, -1)
        taken = false
      }
    },
  }
}
