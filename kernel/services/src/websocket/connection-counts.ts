import type { QuotaRegistry } from '@agent-service/kernel-core/quotas'
import { defineError } from '@agent-service/sdk'
import { type Hold, type Limit, limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'

/** One principal or address has reached its limit of WebSockets on a route. */
export const tooManyConnectionsError = defineError<{ readonly limit: number }>({
  code: 'too_many_connections',
  status: 429,
  title: 'Too many connections',
  message: ({ limit }) => `One account or address may have at most ${limit} WebSockets of this kind open at once; close another one first.`,
})

/** A route has reached its limit of WebSockets. */
export const connectionsExhaustedError = defineError<{ readonly limit: number }>({
  code: 'connections_exhausted',
  status: 503,
  title: 'No free connection',
  message: ({ limit }) => `All ${limit} WebSockets of this kind are in use; try again later.`,
})

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
