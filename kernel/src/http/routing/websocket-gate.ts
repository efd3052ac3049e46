import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketLimits, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { routeInvalidError, upgradeRequiredError } from '../errors.js'

const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/**
 * The HTTP route that stands for a WebSocket route in the table: it takes the `GET` of the path, says who may come, and answers an ordinary request with
 * 426. @throws `route_invalid` with the first thing that does not hold together.
 */
export function gateOf(route: WebSocketRoute, ownerId: string): HttpRoute {
  const reason = reasonAgainst(route)
  if (reason !== undefined) throw routeInvalidError.create({ route: `WebSocket ${String(route.path)}`, owner: ownerId, reason })
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
    // Anything may be asked for on it.
    changes: true,
    streaming: true,
    answers: { 101: { description: 'The WebSocket is open.' } },
    handle: () => Promise.reject(upgradeRequiredError.create({})),
  })
}

function reasonAgainst(route: WebSocketRoute): string | undefined {
  const { specVersion, messages, handle, subprotocols = [] } = route
  if (specVersion !== 1) return `specVersion must be 1, not ${String(specVersion)}`
  if (typeof handle !== 'function') return 'it has no handle function'
  if (messages?.kind !== 'json' && messages?.kind !== 'raw') return 'messages.kind must be “json” or “raw”'
  if (messages.kind === 'json' && !(isSchema(messages.inbound) && isSchema(messages.outbound)))
    return 'messages of the kind “json” need the schemas inbound and outbound'
  const wrong = subprotocols.find((name) => !token.test(name))
  if (wrong !== undefined) return `“${wrong}” is not the name of a subprotocol`
  return reasonAgainstLimits(route)
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The limits of a route, all of them. */
export type EffectiveLimits = Required<WebSocketLimits>

const defaults: EffectiveLimits = {
  maxMessageBytes: 64 * 1024,
  maxMessagesPerSecond: 50,
  maxConnectionsPerPrincipal: 20,
  maxConnections: 1_000,
  maxIdleSeconds: 600,
  maxOutstandingBytes: 1024 * 1024,
}

const ceilings: EffectiveLimits = {
  maxMessageBytes: 16 * 1024 * 1024,
  maxMessagesPerSecond: 10_000,
  maxConnectionsPerPrincipal: 10_000,
  maxConnections: 10_000,
  maxIdleSeconds: 86_400,
  maxOutstandingBytes: 64 * 1024 * 1024,
}

/** JSON is parsed and validated on the event loop, so that one message may not hold it for long. */
const jsonCeilingBytes = 1024 * 1024

/** What a route states, completed by the defaults. */
export const limitsOf = ({ limits }: WebSocketRoute): EffectiveLimits => ({ ...defaults, ...limits })

/** Why the limits of a route do not hold; `undefined` when they do. */
function reasonAgainstLimits({ limits = {}, messages }: WebSocketRoute): string | undefined {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(ceilings, name)) return `“${name}” is not a limit; the limits are ${Object.keys(ceilings).join(', ')}`
    const ceiling = name === 'maxMessageBytes' && messages.kind === 'json' ? jsonCeilingBytes : ceilings[name as keyof EffectiveLimits]
    if (!Number.isSafeInteger(value) || value < 1 || value > ceiling)
      return `the limit ${name} must be a whole number from 1 to ${ceiling}, not ${String(value)}`
  }
  return undefined
}
