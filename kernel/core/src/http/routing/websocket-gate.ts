import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { checkWebSocketRoute, type WebSocketLimits, type WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { routeInvalidError, upgradeRequiredError } from '../errors.js'

/**
 * The HTTP route that represents a WebSocket route in the table: it occupies the `GET` of the path,
 * defines who has access, and answers an ordinary request with 426.
 * @throws `route_invalid` with the first problem
 */
export function gateOf(route: WebSocketRoute, ownerId: string): HttpRoute {
  const [problem] = checkWebSocketRoute(route)
  if (problem) {
    const reason = `${problem.path} ${problem.message}`
    throw routeInvalidError.create({ route: `WebSocket ${String(route.path)}`, owner: ownerId, reason })
  }
  const { path, operationId, summary, description, tags, auth, actors, params, query } = route
  const scope = route.scope ?? (auth === 'user' ? 'write' : undefined)
  return Object.freeze<HttpRoute>({
    specVersion: 1,
    method: 'GET',
    ...{ path, operationId, summary, auth },
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
    ...(scope && { scope }),
    ...(actors && { actors }),
    ...(params && { params }),
    ...(query && { query }),
    // Its messages may change anything.
    changes: true,
    streaming: true,
    answers: { 101: { description: 'The WebSocket is open.' } },
    handle: () => Promise.reject(upgradeRequiredError.create({})),
  })
}

/** The limits of a route with all defaults. */
export type EffectiveLimits = Required<WebSocketLimits>

const defaults: EffectiveLimits = {
  maxMessageBytes: 64 * 1024,
  maxMessagesPerSecond: 50,
  maxConnectionsPerPrincipal: 20,
  maxConnections: 1_000,
  maxIdleSeconds: 600,
  maxOutstandingBytes: 1024 * 1024,
}

/** The limits that a route states, completed by the defaults. */
export const limitsOf = ({ limits }: WebSocketRoute): EffectiveLimits => ({ ...defaults, ...limits })
