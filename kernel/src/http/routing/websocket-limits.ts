import type { WebSocketLimits, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

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
export function reasonAgainstLimits({ limits = {}, messages }: WebSocketRoute): string | undefined {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(ceilings, name)) return `“${name}” is not a limit; the limits are ${Object.keys(ceilings).join(', ')}`
    const ceiling = name === 'maxMessageBytes' && messages.kind === 'json' ? jsonCeilingBytes : ceilings[name as keyof EffectiveLimits]
    if (!Number.isSafeInteger(value) || value < 1 || value > ceiling)
      return `the limit ${name} must be a whole number from 1 to ${ceiling}, not ${String(value)}`
  }
  return undefined
}
