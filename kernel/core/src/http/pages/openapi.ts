import type { JsonObject, JsonValue, TSchema } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { scopesOf } from '../request/access.js'
import type { TableEntry } from '../route-table.js'
import { parameterNamesOf } from '../routing/route-check.js'
import { limitsOf } from '../routing/websocket-gate.js'

const problemReference = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The problems that the host itself answers with, by status, for a route. */
const problemTexts: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'No credential, or one that does not hold.',
  403: 'The credential does not reach this far.',
  404: 'There is no such object, or it is another user’s.',
  408: 'The body stopped arriving.',
  413: 'The body is larger than what applies here.',
  415: 'The body has another type than this route takes.',
  426: 'The request is no WebSocket handshake of version 13.',
  422: 'The request is not valid; `errors` has every path.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  503: 'Not ready, stopping or overloaded; `Retry-After` says when to come back.',
}

/** The OpenAPI 3.1 description of routes. */
export function describeApi(entries: readonly TableEntry[], version: string): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {}
  const schemas: Record<string, JsonValue> = { Problem: problemSchema }
  const sorted = [...entries].sort((left, right) => (left.route.path < right.route.path ? -1 : 1))
  for (const { route, owner, webSocket } of sorted) {
    const item = paths[route.path] ?? {}
    const described = describeRoute(route, owner.id)
    item[route.method.toLowerCase()] = webSocket ? { ...described, 'x-websocket': describeWebSocket(webSocket, schemas) } : described
    paths[route.path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Service',
      version,
      description: 'Errors are `application/problem+json` with a stable `code`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token or a personal access token.' },
        queryToken: { type: 'apiKey', in: 'query', name: 'token', description: 'An access token, on event streams and WebSockets only.' },
        presign: { type: 'apiKey', in: 'query', name: 'presign', description: 'Part of a pre-signed URL, its last parameter.' },
        refreshCookie: { type: 'apiKey', in: 'cookie', name: 'refresh_token' },
      },
      schemas,
    },
  }
}

function describeRoute(route: HttpRoute, owner: string): JsonObject {
  const { actors = [], includes = [], session = false, confirmed = false } = route
  const scopes = scopesOf(route)
  const description = [route.description, ...rightsOf(route)].filter((text) => text !== undefined).join('\n\n')
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(route.tags ? { tags: [...route.tags] } : {}),
    ...(route.auth === 'public' ? { security: [] } : { security: securityOf(route) }),
    parameters: parametersOf(route),
    ...(route.body ? { requestBody: describeBody(route.body) } : {}),
    responses: { ...describeAnswers(route), ...describeProblems(route) },
    'x-owner': owner,
    'x-auth': route.auth,
    ...(scopes.length === 0 ? {} : { 'x-scope': scopes.length === 1 ? (scopes[0] ?? '') : [...scopes] }),
    ...(actors.length === 0 ? {} : { 'x-actors': [...actors] }),
    ...(includes.length === 0 ? {} : { 'x-includes': [...includes] }),
    ...(session ? { 'x-session': true } : {}),
    ...(confirmed ? { 'x-confirmed': true } : {}),
    ...(route.rateClass === undefined ? {} : { 'x-rate-class': route.rateClass }),
  }
}

/** Who may call, in words. */
function rightsOf(route: HttpRoute): readonly string[] {
  const { auth, actors = [], includes = [], session, confirmed } = route
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  return [
    ...(auth === 'admin' ? ['For administrators.'] : []),
    ...(scopes.length === 0
      ? []
      : [`A personal access token needs the scope ${scopes.join(' or ')}${scopes.length > 1 ? ', as the body says' : ''}.`]),
    ...(session ? ['For a session; no token qualifies.'] : []),
    ...(confirmed ? ['For a session that `POST /api/auth/confirm` has confirmed within five minutes; no token qualifies.'] : []),
    ...(actors.length === 0 ? [] : [`Open to ephemeral tokens of: ${actors.join(', ')}.`]),
    ...(includes.length === 0 ? [] : [`A policy that forbids ${includes.map((id) => `\`${id}\``).join(' or ')} forbids this too.`]),
  ]
}

/** What goes over a WebSocket. OpenAPI has no words for it; the schemas of its messages are among the components. */
function describeWebSocket(route: WebSocketRoute, schemas: Record<string, JsonValue>): JsonObject {
  const { messages, subprotocols, operationId } = route
  const limits: JsonObject = { ...limitsOf(route) }
  const common = { limits, ...(subprotocols && { subprotocols: [...subprotocols] }) }
  if (messages.kind === 'raw') return { kind: 'raw', ...common }
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
  const reference = (schema: TSchema, direction: 'Inbound' | 'Outbound'): JsonObject => {
    schemas[`${name}${direction}`] = plain(schema) ?? {}
    return { $ref: `#/components/schemas/${name}${direction}` }
  }
  return { kind: 'json', inbound: reference(messages.inbound, 'Inbound'), outbound: reference(messages.outbound, 'Outbound'), ...common }
}

const securityOf = (route: HttpRoute): JsonValue => [
  { bearer: [] },
  { refreshCookie: [] },
  ...(route.streaming ? [{ queryToken: [] }] : []),
  ...(route.presignable ? [{ presign: [] }] : []),
]

function parametersOf(route: HttpRoute): JsonValue {
  const inPath = parameterNamesOf(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: plain(route.params?.properties[name]) ?? { type: 'string' },
  }))
  const required: readonly string[] = route.query?.required ?? []
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: plain(schema) ?? {},
  }))
  const inHeader = route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'Kept for 24 hours: the same key with the same request gives the same answer.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : []
  return [...inPath, ...inQuery, ...inHeader]
}

function describeBody(body: NonNullable<HttpRoute['body']>): JsonObject {
  if (body.kind === 'json') return { required: true, content: { 'application/json': { schema: plain(body.schema) ?? {} } } }
  return { required: true, content: Object.fromEntries(body.contentTypes.map((type) => [type, { schema: {} }])) }
}

function describeAnswers(route: HttpRoute): JsonObject {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]): readonly [string, JsonValue] => {
      const content = {
        ...(answer.schema && { 'application/json': { schema: plain(answer.schema) ?? {} } }),
        ...(answer.contentType !== undefined && { [answer.contentType]: { schema: { type: 'string' } } }),
      }
      return [status, { description: answer.description, ...(Object.keys(content).length > 0 && { content }) }]
    }),
  )
}

function describeProblems(route: HttpRoute): JsonObject {
  const statuses = [
    400,
    ...(route.auth === 'public' ? [] : [401, 403]),
    ...(route.path.includes('{') ? [404] : []),
    ...(route.body ? [408, 413, 415] : []),
    422,
  ]
  if (route.answers[101]) statuses.push(426, 429)
  if (route.rateClass === 'expensive' || route.path.startsWith('/api/auth/')) statuses.push(429)
  statuses.push(503)
  const problems = statuses
    .filter((status) => route.answers[status] === undefined)
    .map((status): readonly [string, JsonValue] => [
      String(status),
      { description: problemTexts[status] ?? 'A problem.', content: problemReference },
    ])
  return Object.fromEntries([...problems, ['default', { description: 'Another problem.', content: problemReference }]])
}

/** A schema as plain JSON: without the marks that TypeBox keeps for itself. */
const plain = (schema: TSchema | undefined): JsonValue | undefined =>
  schema === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key.startsWith('~') ? undefined : value))) as JsonValue)

const problemSchema: JsonObject = {
  type: 'object',
  description: 'An error answer (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Stable, snake_case.' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}
