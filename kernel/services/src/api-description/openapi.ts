import type { TableEntry } from '@agent-service/kernel-core/http'
import { scopesOf } from '@agent-service/kernel-core/http/request'
import { limitsOf, parameterNamesOf } from '@agent-service/kernel-core/http/routing'
import type { JsonObject, JsonValue, TSchema } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'

const problemReference = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The problems that the HTTP layer itself answers with, by status. */
const problemTexts: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The credential is missing or not valid.',
  403: 'The credential does not permit this operation.',
  404: 'The object does not exist, or it belongs to another user.',
  408: 'The body did not arrive in time.',
  413: 'The body is larger than the limit of this route.',
  415: 'The route does not accept the type of the body.',
  426: 'The request is not a WebSocket handshake of version 13.',
  422: 'The request is not valid; `errors` lists each problem with its path.',
  429: 'Too many requests; retry after the time in `Retry-After`.',
  503: 'The service is not ready, stopping or overloaded; retry after the time in `Retry-After`.',
}

/** The OpenAPI 3.1 document of the given routes. */
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
      description:
        'Errors have the type `application/problem+json` (RFC 9457) and a stable `code`. `request_id` and the header `X-Request-Id` identify a request in the log of the service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of a session, or a personal access token.' },
        queryToken: { type: 'apiKey', in: 'query', name: 'token', description: 'An access token. Only on event streams and WebSockets.' },
        presign: { type: 'apiKey', in: 'query', name: 'presign', description: 'The signature of a pre-signed URL; its last parameter.' },
        refreshCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'refresh_token',
          description: 'The cookie of a session, set by signing in. Changes are accepted only from pages of the service.',
        },
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

/** Who may call a route, in words. */
function rightsOf(route: HttpRoute): readonly string[] {
  const { auth, actors = [], includes = [], session, confirmed } = route
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  return [
    ...(auth === 'admin' ? ['Only for administrators.'] : []),
    ...(scopes.length === 0
      ? []
      : [`A personal access token needs the scope ${scopes.join(' or ')}${scopes.length > 1 ? ', depending on the body' : ''}.`]),
    ...(session ? ['Requires a session; personal access tokens and ephemeral tokens are not accepted.'] : []),
    ...(confirmed
      ? [
          'Requires a session that was confirmed with `POST /api/auth/confirm` in the last five minutes; personal access tokens and ephemeral tokens are not accepted.',
        ]
      : []),
    ...(actors.length === 0 ? [] : [`Ephemeral tokens of these actors are accepted: ${actors.join(', ')}.`]),
    ...(includes.length === 0
      ? []
      : [`A policy that forbids ${includes.map((id) => `\`${id}\``).join(' or ')} also forbids this operation.`]),
  ]
}

/**
 * The messages of a WebSocket. OpenAPI cannot describe them, so their schemas are among the
 * components.
 */
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
          description:
            'A unique key that makes the request safe to retry. For 24 hours, the same request with the same key gets the same response.',
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
      { description: problemTexts[status] ?? 'An error.', content: problemReference },
    ])
  return Object.fromEntries([...problems, ['default', { description: 'Another error.', content: problemReference }]])
}

/** A schema as plain JSON, without TypeBox's own marks. */
const plain = (schema: TSchema | undefined): JsonValue | undefined =>
  schema === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key.startsWith('~') ? undefined : value))) as JsonValue)

const problemSchema: JsonObject = {
  type: 'object',
  description: 'An error response (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', description: 'Always `about:blank`: the kind of error is in `code`.' },
    title: { type: 'string', description: 'A short name of the error.' },
    status: { type: 'integer', description: 'The status of the response.' },
    detail: { type: 'string', description: 'What went wrong and how to correct it.' },
    code: { type: 'string', description: 'The kind of error, in snake_case. Stable across versions.' },
    request_id: { type: 'string', description: 'The id of the request, as in `X-Request-Id` and in the log.' },
    errors: {
      type: 'array',
      description: 'The problems of a request that is not valid.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The JSON pointer of the value.' },
          message: { type: 'string', description: 'What is wrong with it, or what was expected.' },
        },
      },
    },
  },
}
