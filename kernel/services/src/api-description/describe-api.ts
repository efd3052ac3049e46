import type { TableEntry } from '@agent-service/kernel-core/http'
import { limitsOf } from '@agent-service/kernel-core/http/routing'
import { isJsonObject, messageNameOf } from '@agent-service/kernel-core/http/schemas'
import type { JsonObject, JsonValue, TSchema } from '@agent-service/sdk'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { type Components, createComponents } from './components.js'
import { type DescribedEvent, describeEventStream } from './describe-events.js'
import { describeOperation } from './describe-operation.js'
import { problemDetailSchema, problemSchema, type StatusOf } from './problems.js'

/** What the description says besides the routes. */
export interface ApiTexts {
  readonly version: string
  /** The path at which clients see `/`; empty for the root of a host. Default: empty. */
  readonly basePath?: string
  /** What the routes of a tag are about, by tag. */
  readonly tags: Readonly<Record<string, string>>
  /** The types of events, and the operation that streams them. */
  readonly events?: { readonly operationId: string; readonly types: readonly DescribedEvent[] }
  /** Default: the status of the error. */
  readonly statusOf?: StatusOf
}

/**
 * The OpenAPI 3.1 document of the given routes. Yields after each of them, so that the caller can
 * let other work go on.
 */
export function* describeApi(
  entries: readonly TableEntry[],
  { version, basePath = '', tags, events, statusOf = ownStatus }: ApiTexts,
): Generator<void, JsonObject> {
  const paths: Record<string, Record<string, JsonValue>> = {}
  const components = createComponents()
  components.add('Problem', problemSchema(components.add('ProblemDetail', problemDetailSchema)))
  const sorted = [...entries].sort((left, right) => (left.route.path < right.route.path ? -1 : 1))
  for (const entry of sorted) {
    const { route, owner, webSocket } = entry
    const operation = describeOperation(entry, components, statusOf)
    const messages = webSocket && { 'x-websocket': describeWebSocket(webSocket, owner.schemaPrefix ?? '', components) }
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: { ...operation, ...messages } }
    yield
  }
  if (events) {
    const content = describeEventStream(events.types, components)
    for (const item of Object.values(paths))
      for (const operation of Object.values(item)) if (isJsonObject(operation)) streamEvents(operation, events.operationId, content)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Service',
      version,
      description:
        'Errors have the type `application/problem+json` (RFC 9457) and a stable `code`; `x-codes` of an answer lists the codes that it may have. `request_id` and the header `X-Request-Id` identify a request in the log of the service. Lists have `items` and `next_cursor`, which is the `cursor` of the next page.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'The service that answered with this document.' }],
    tags: usedTags(entries, tags),
    paths,
    components: { securitySchemes, schemas: components.all() },
  }
}

const ownStatus: StatusOf = (_, { status }) => status

/** The tags of the routes, in alphabetical order, each with its text if there is one. */
function usedTags(entries: readonly TableEntry[], texts: Readonly<Record<string, string>>): JsonValue {
  const names = [...new Set(entries.flatMap(({ route }) => route.tags ?? []))].sort()
  return names.map((name) => ({ name, ...(Object.hasOwn(texts, name) && { description: texts[name] ?? '' }) }))
}

function streamEvents(operation: JsonObject, operationId: string, content: JsonObject): void {
  const { responses } = operation
  const answer = isJsonObject(responses) ? responses['200'] : undefined
  if (operation['operationId'] === operationId && isJsonObject(answer)) Object.assign(answer, { content: { 'text/event-stream': content } })
}

/**
 * The messages of a WebSocket. OpenAPI cannot describe them, so their schemas are among the
 * components.
 */
function describeWebSocket(route: WebSocketRoute, prefix: string, components: Components): JsonObject {
  const { messages, subprotocols, operationId } = route
  const limits: JsonObject = { ...limitsOf(route) }
  const common = { limits, ...(subprotocols && { subprotocols: [...subprotocols] }) }
  if (messages.kind === 'raw') return { kind: 'raw', ...common }
  const describe = (schema: TSchema, direction: 'Inbound' | 'Outbound'): JsonObject =>
    components.refer(schema, prefix, messageNameOf(operationId, direction))
  return { kind: 'json', inbound: describe(messages.inbound, 'Inbound'), outbound: describe(messages.outbound, 'Outbound'), ...common }
}

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token of a session, or a personal access token.' },
  queryToken: { type: 'apiKey', in: 'query', name: 'token', description: 'An access token. Only on event streams and WebSockets.' },
  presign: { type: 'apiKey', in: 'query', name: 'presign', description: 'The signature of a pre-signed URL; its last parameter.' },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'The cookie of a session, set by signing in. Changes are accepted only from pages of the service.',
  },
}
