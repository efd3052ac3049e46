import { connectionsExhaustedError, tooManyConnectionsError } from '@agent-service/kernel-core/http'
import type { QuotaRegistry } from '@agent-service/kernel-core/quotas'
import { type Hold, type Limit, limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'

interface RouteLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerPrincipal: number
}

/** Counts the WebSockets of each route and of each holder on it. */
export interface ConnectionCounts {
  /**
   * Counts a connection. The returned function ends the count; call it once.
   * @throws `too_many_connections`, `connections_exhausted`
   */
  take(operation: string, holder: string, limits: RouteLimits): () => void
  /** Ends the limits. */
  close(): void
}

const retryAfterSeconds = 5

/**
 * Declares the two limits. Each route states its maximum. Memory: one entry for each open
 * connection.
 */
export function createConnectionCounts(quotas: Pick<QuotaRegistry, 'declare'>): ConnectionCounts {
  const routes = new Map<string, RouteLimits>()
  const limitsOf = (key: string): RouteLimits | undefined => routes.get(key.split(' ', 1)[0] ?? '')
  const ofHolders = quotas.declare({
    ...{ name: 'websockets', counts: 'WebSockets of one kind' },
    maxPerHolder: (key) => limitsOf(key)?.maxConnectionsPerPrincipal ?? 0,
  })
  const ofRoutes = quotas.declare({
    ...{ name: 'websockets-of-route', counts: 'WebSockets of one kind in all' },
    maxPerHolder: (key) => limitsOf(key)?.maxConnections ?? 0,
  })
  return {
    take(operation, holder, limits) {
      routes.set(operation, limits)
      const own = takeOrRefuse(ofHolders.limit, `${operation} ${holder}`, tooManyConnectionsError, limits.maxConnectionsPerPrincipal)
      try {
        const all = takeOrRefuse(ofRoutes.limit, operation, connectionsExhaustedError, limits.maxConnections)
        return () => {
          own.release()
          all.release()
        }
      } catch (error) {
        own.release()
        throw error
      }
    },
    close() {
      for (const { end } of [ofHolders, ofRoutes]) void end()
    },
  }
}

/** Replaces the general errors of limits by those of WebSockets. */
function takeOrRefuse(
  limit: Limit,
  holder: string,
  refusal: typeof tooManyConnectionsError | typeof connectionsExhaustedError,
  max: number,
): Hold {
  try {
    return limit.take(holder)
  } catch (error) {
    const isFull = limitReachedError.isInstance(error) || overloadedError.isInstance(error)
    throw isFull ? refusal.create({ limit: max }, { retryAfterSeconds }) : error
  }
}
