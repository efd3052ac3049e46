import { defineError } from '@agent-service/sdk'

/** The path of the request target is not valid. */
export const invalidPathError = defineError<{ readonly reason: string }>({
  code: 'invalid_path',
  status: 400,
  title: 'Invalid path',
  message: ({ reason }) => `The path of the request is not valid: ${reason}.`,
})

/** The query string cannot be decoded. */
export const invalidQueryError = defineError<{ readonly reason: string }>({
  code: 'invalid_query',
  status: 400,
  title: 'Invalid query',
  message: ({ reason }) => `The query of the request cannot be read: ${reason}.`,
})

/** The head of the request breaks the protocol. */
export const invalidHeadError = defineError<{ readonly reason: string }>({
  code: 'invalid_request_head',
  status: 400,
  title: 'Invalid request head',
  message: ({ reason }) => `The request is not valid HTTP: ${reason}.`,
})

/** The path exists, but not with this method. */
export const methodNotAllowedError = defineError<{ readonly method: string; readonly allowed: readonly string[] }>({
  code: 'method_not_allowed',
  status: 405,
  title: 'Method not allowed',
  message: ({ method, allowed }) => `${method} is not allowed for this path; use ${allowed.join(', ')}.`,
})

/** No credential, or one that is not valid. */
export const unauthenticatedError = defineError<Readonly<Record<never, never>>>({
  code: 'unauthenticated',
  status: 401,
  title: 'Not signed in',
  message: () =>
    'This request needs a valid credential: sign in, or send an access token as "Authorization: Bearer <token>". Other schemes, such as Basic, count for nothing.',
})

/** What comes through the listener for programs has no token of an agent, an app or an MCP server. */
export const programTokenRequiredError = defineError<Readonly<Record<never, never>>>({
  code: 'unauthenticated',
  status: 401,
  title: 'Token of the program required',
  message: () =>
    'This address serves programs that the service runs, and takes only their own token: send the content of the file that AGENT_SERVICE_TOKEN_FILE names as "Authorization: Bearer <token>". Any other token belongs to the public address of the service.',
})

/** The credential is valid but does not permit this. */
export const forbiddenError = defineError<{ readonly reason: string }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ reason }) => reason,
})

/** A page of another site sent a change that only the cookie authenticates. */
export const crossSiteRequestError = defineError<Readonly<Record<never, never>>>({
  code: 'cross_site_request',
  status: 403,
  title: 'Cross-site request',
  message: () => 'A request that is authenticated only by the cookie must come from a page of this service; send an access token instead.',
})

/** Too many requests. `Retry-After` states how long to wait. */
export const rateLimitedError = defineError<{ readonly what: string }>({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  message: ({ what }) => `Too many ${what}; wait for the time in Retry-After, then try again.`,
})

/** The body is larger than the limit that applies to it. */
export const bodyTooLargeError = defineError<{ readonly limit: number; readonly name: string }>({
  code: 'body_too_large',
  status: 413,
  title: 'Body too large',
  message: ({ limit, name }) => `The body is larger than ${limit} bytes (${name}).`,
})

/** The body is not JSON. */
export const malformedJsonError = defineError<{ readonly reason: string }>({
  code: 'malformed_json',
  status: 400,
  title: 'Malformed JSON',
  message: ({ reason }) => `The body is not valid JSON: ${reason}.`,
})

/** The body is JSON, but nested deeper than the limit. */
export const nestingTooDeepError = defineError<{ readonly limit: number }>({
  code: 'nesting_too_deep',
  status: 400,
  title: 'Nesting too deep',
  message: ({ limit }) => `The body is nested deeper than ${limit} levels.`,
})

/** The body is JSON with more values than one request may have. */
export const tooManyValuesError = defineError<{ readonly limit: number }>({
  code: 'too_many_values',
  status: 413,
  title: 'Too many values',
  message: ({ limit }) =>
    `The body has more than ${limit} values (items, members, lists and objects); split it into several smaller requests.`,
})

/** The route does not accept the type of the body. */
export const unsupportedMediaTypeError = defineError<{ readonly actual: string; readonly expected: readonly string[] }>({
  code: 'unsupported_media_type',
  status: 415,
  title: 'Unsupported media type',
  message: ({ actual, expected }) => `The body is ${actual}; expected ${expected.join(', ')}.`,
})

/** The body stopped arriving. */
export const requestTimeoutError = defineError<{ readonly seconds: number }>({
  code: 'request_timeout',
  status: 408,
  title: 'Request timed out',
  message: ({ seconds }) => `The request did not arrive completely within ${seconds} seconds.`,
})

/** The service is running but not ready for this request yet. */
export const notReadyError = defineError<{ readonly step: string }>({
  code: 'not_ready',
  status: 503,
  title: 'Not ready',
  message: ({ step }) => `The service is not ready (${step}); try again shortly.`,
})

/** The plugin that answers this request is stopping. */
export const routeStoppingError = defineError<{ readonly owner: string }>({
  code: 'route_stopping',
  status: 503,
  title: 'Stopping',
  message: ({ owner }) => `“${owner}”, which answers this request, is stopping; try again later.`,
})

/** Two schemas of the OpenAPI description have one name. */
export const schemaNameConflictError = defineError<{ readonly name: string; readonly owner: string; readonly otherOwner: string }>({
  code: 'schema_name_conflict',
  status: 500,
  title: 'Schema name conflict',
  message: ({ name, owner, otherOwner }) =>
    owner === otherOwner
      ? `“${owner}” names two different schemas “${name}”. Use one schema in both places, or give one of them another name.`
      : `The schema “${name}” of “${owner}” differs from the one that “${otherOwner}” has under this name. One of the two needs another name.`,
})

/** Two routes answer the same requests. */
export const routeConflictError = defineError<{
  readonly route: string
  readonly owner: string
  readonly other: string
  readonly otherOwner: string
}>({
  code: 'route_conflict',
  status: 500,
  title: 'Route conflict',
  message: ({ route, owner, other, otherOwner }) =>
    `The route ${route} of “${owner}” overlaps with ${other} of “${otherOwner}”. One of the two needs another path, method or operationId.`,
})

/** A route lies outside the paths that its owner may use. */
export const routeNotOwnedError = defineError<{ readonly route: string; readonly owner: string; readonly prefixes: readonly string[] }>({
  code: 'route_not_owned',
  status: 500,
  title: 'Route not owned',
  message: ({ route, owner, prefixes }) =>
    `The route ${route} of “${owner}” is outside the paths that the owner may use: ${prefixes.length === 0 ? 'none' : prefixes.join(', ')}.`,
})

/** A route's definition is not valid. */
export const routeInvalidError = defineError<{ readonly route: string; readonly owner: string; readonly reason: string }>({
  code: 'route_invalid',
  status: 500,
  title: 'Route invalid',
  message: ({ route, owner, reason }) => `The route ${route} of “${owner}” is not valid: ${reason}.`,
})

/** The path is for WebSockets, and the request is an ordinary one. */
export const upgradeRequiredError = defineError<Readonly<Record<never, never>>>({
  code: 'upgrade_required',
  status: 426,
  title: 'Upgrade required',
  message: () => 'This path is for WebSockets; connect with ws:// or wss://, or send the headers of a WebSocket handshake (RFC 6455).',
})

/** The request asks for a WebSocket at a path that has none. */
export const websocketUnavailableError = defineError<Readonly<Record<never, never>>>({
  code: 'websocket_unavailable',
  status: 400,
  title: 'No WebSocket',
  message: () => 'This path has no WebSocket; send the request without “Upgrade: websocket”.',
})

/** The handshake of a WebSocket breaks the protocol. */
export const invalidHandshakeError = defineError<{ readonly reason: string }>({
  code: 'invalid_handshake',
  status: 400,
  title: 'Invalid handshake',
  message: ({ reason }) => `The request is not a valid WebSocket handshake (RFC 6455): ${reason}.`,
})

/** Another process listens on the port. */
export const portInUseError = defineError<{ readonly host: string; readonly port: number }>({
  code: 'port_in_use',
  status: 500,
  title: 'Port in use',
  message: ({ host, port }) =>
    `Port ${port} on ${host} is in use by another process. Stop that process, or set server.port (SERVICE_SERVER_PORT) to a free port.`,
})

/** The machine does not have the address, or refuses it. */
export const addressUnavailableError = defineError<{ readonly host: string; readonly port: number; readonly reason: string }>({
  code: 'address_unavailable',
  status: 500,
  title: 'Address unavailable',
  message: ({ host, port, reason }) =>
    `The service cannot listen on ${host}:${port} (${reason}). Set server.host (SERVICE_SERVER_HOST) to an address of this machine, and server.port to a port that this user may bind.`,
})
