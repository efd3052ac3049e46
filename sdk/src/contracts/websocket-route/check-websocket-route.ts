import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { accessScopes } from '../http-route/access.js'
import { checkActors, checkPathParameters, checkRoutePath } from '../http-route/check-route-agreement.js'
import { actorKinds } from '../http-route/principal.js'
import { aFunction, aLine, aName, aRange, aText, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import type { WebSocketRoute } from './route.js'

const maxJsonMessageBytes = 1024 * 1024

const messages = Type.Union([
  Type.Object({ kind: Type.Literal('json'), inbound: aSchema(), outbound: aSchema() }),
  Type.Object({ kind: Type.Literal('raw') }),
])

const limits = Type.Object({
  maxMessageBytes: Type.Optional(aRange(1, 16 * 1024 * 1024)),
  maxMessagesPerSecond: Type.Optional(aRange(1, 10_000)),
  maxConnectionsPerPrincipal: Type.Optional(aRange(1, 10_000)),
  maxConnections: Type.Optional(aRange(1, 10_000)),
  maxIdleSeconds: Type.Optional(aRange(1, 86_400)),
  maxOutstandingBytes: Type.Optional(aRange(1, 64 * 1024 * 1024)),
})

const subprotocol = aName(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'a token of HTTP, such as chess.v1')

const shape = Type.Object({
  specVersion: firstSpecVersion,
  path: aName(/^\/\S{0,499}$/, 'a path, such as /api/plugins/chess/games/{game_id}'),
  operationId: aName(/^[a-z][A-Za-z0-9]{0,199}$/, 'a name in camelCase, such as playChess'),
  summary: aLine(300),
  description: Type.Optional(aText({ maxLength: 20_000 })),
  tags: Type.Optional(Type.Array(aLine(100), { maxItems: 20 })),
  auth: oneOf(['public', 'user', 'admin']),
  scope: Type.Optional(oneOf(accessScopes)),
  actors: Type.Optional(Type.Array(oneOf(actorKinds), { maxItems: actorKinds.length })),
  params: Type.Optional(aSchema('object')),
  query: Type.Optional(aSchema('object')),
  subprotocols: Type.Optional(Type.Array(subprotocol, { maxItems: 20 })),
  messages,
  limits: Type.Optional(limits),
  handle: aFunction,
})

/**
 * Everything that is wrong with a WebSocket route, each with a JSON pointer. Empty when it can be
 * served. Never throws.
 */
export function checkWebSocketRoute(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkAgreement(contribution as WebSocketRoute)
}

function checkAgreement(route: WebSocketRoute): readonly Problem[] {
  const path = checkRoutePath(route.path)
  if (path.length > 0) return path
  const token = route.query !== undefined && 'token' in (route.query.properties ?? {})
  const tooLarge = route.messages.kind === 'json' && (route.limits?.maxMessageBytes ?? 0) > maxJsonMessageBytes
  return [
    ...checkPathParameters(route),
    ...checkActors(route),
    ...(token ? [{ path: '/query/properties/token', message: 'must be absent: it is a credential of a WebSocket' }] : []),
    ...(tooLarge ? [{ path: '/limits/maxMessageBytes', message: `must be at most ${maxJsonMessageBytes} where messages are JSON` }] : []),
  ]
}
