import { aFunction, aLine, aList, aName, anObject, aRange, aText, checkMembers, type MemberRule, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import { anObjectSchema, aPortableSchema } from '../../manifest/contributed-schema.js'
import { checkActors, checkPathParameters, checkRoutePath } from '../http-route/check-route-agreement.js'
import { actorKinds } from '../http-route/principal.js'
import type { WebSocketRoute } from './route.js'

const maxJsonMessageBytes = 1024 * 1024

const jsonMessages = anObject({ required: { kind: oneOf(['json']), inbound: aPortableSchema, outbound: aPortableSchema } })
const rawMessages = anObject({ required: { kind: oneOf(['raw']) } })

const messages: MemberRule = (value, path) => {
  const kind = typeof value === 'object' && value !== null ? (value as { readonly kind?: unknown }).kind : undefined
  if (kind === 'json') return jsonMessages(value, path)
  return kind === 'raw' ? rawMessages(value, path) : [{ path: `${path}/kind`, message: 'must be "json" or "raw"' }]
}

const limits = anObject({
  required: {},
  optional: {
    maxMessageBytes: aRange(1, 16 * 1024 * 1024),
    maxMessagesPerSecond: aRange(1, 10_000),
    maxConnectionsPerPrincipal: aRange(1, 10_000),
    maxConnections: aRange(1, 10_000),
    maxIdleSeconds: aRange(1, 86_400),
    maxOutstandingBytes: aRange(1, 64 * 1024 * 1024),
  },
})

/** Everything that is wrong with a WebSocket route, each with a JSON pointer. Empty when it can be served. Never throws. */
export function checkWebSocketRoute(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      path: aName(/^\/\S{0,499}$/, 'a path, such as /api/plugins/chess/games/{game_id}'),
      operationId: aName(/^[a-z][A-Za-z0-9]{0,199}$/, 'a name in camelCase, such as playChess'),
      summary: aLine(300),
      auth: oneOf(['public', 'user', 'admin']),
      messages,
      handle: aFunction,
    },
    optional: {
      description: aText({ maxLength: 20_000 }),
      tags: aList(aLine(100), { maxItems: 20 }),
      scope: oneOf(['read', 'write', 'admin', 'inference']),
      actors: aList(oneOf(actorKinds), { maxItems: actorKinds.length }),
      params: anObjectSchema,
      query: anObjectSchema,
      subprotocols: aList(aName(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'a token of HTTP, such as chess.v1'), { maxItems: 20 }),
      limits,
    },
  })
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
