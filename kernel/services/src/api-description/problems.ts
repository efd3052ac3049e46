import {
  bodyTooLargeError,
  crossSiteRequestError,
  invalidHandshakeError,
  invalidHeadError,
  invalidPathError,
  invalidQueryError,
  malformedJsonError,
  nestingTooDeepError,
  notReadyError,
  rateLimitedError,
  requestTimeoutError,
  routeStoppingError,
  tooManyValuesError,
  unauthenticatedError,
  unsupportedMediaTypeError,
  upgradeRequiredError,
} from '@agent-service/kernel-core/http'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import {
  actorKinds,
  confirmationRequiredError,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  pageCursorError,
  peopleOnlyError,
  type RouteError,
  scopeMissingError,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import { limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import { idempotencyInProgressError, idempotencyKeyReusedError } from '../idempotency/errors.js'
import { bodyTooComplexError } from '../json-threads/errors.js'
import { connectionsExhaustedError, tooManyConnectionsError } from '../websocket/connection-counts.js'

/** What the statuses of problems mean. */
const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The credential is missing or not valid.',
  402: 'A budget is used up.',
  403: 'The credential does not permit this operation.',
  404: 'The object does not exist, or it belongs to another user.',
  408: 'The body did not arrive in time.',
  409: 'The state of the object, or another request, forbids this now.',
  412: 'The object has changed since it was read.',
  413: 'The body is larger than the limit of this route, or more would be stored than is allowed.',
  415: 'The route does not accept the type of the body.',
  416: 'The object does not have the requested range.',
  422: 'The request is not valid. `detail` has the first problem; `errors` lists each one with its path.',
  426: 'The request is not a WebSocket handshake of version 13.',
  428: 'The request must state which version of the object it changes.',
  429: 'Too many requests, or too much at once; retry after the time in `Retry-After`.',
  502: 'Another system that is needed failed.',
  503: 'The service is not ready, stopping or overloaded; retry after the time in `Retry-After`.',
  504: 'Another system that is needed did not answer in time.',
  507: 'The disk of the service is full.',
}

/** From the database, below this layer. */
const conflict: RouteError = { code: 'conflict', status: 409 }
const storageFull: RouteError = { code: 'storage_full', status: 507 }
const databaseProblems: readonly RouteError[] = [
  { code: 'database_closed', status: 503 },
  { code: 'database_unreachable', status: 503 },
]
/** From the policies that are asked before a handler is. */
const policyProblems: readonly RouteError[] = [
  { code: 'policies_unavailable', status: 503 },
  { code: 'policy_engine_failed', status: 503 },
]

/** Every problem that a client of a route should know of: those of this layer, then its own. */
export function errorsOf(route: HttpRoute): readonly RouteError[] {
  return [
    ...[invalidPathError, invalidQueryError, invalidHeadError, invalidRequestError, rateLimitedError, limitReachedError],
    ...[notReadyError, overloadedError, routeStoppingError, ...databaseProblems],
    ...credentialErrorsOf(route),
    ...(route.path.includes('{') ? [notFoundError] : []),
    ...(route.query !== undefined && 'cursor' in route.query.properties ? [pageCursorError] : []),
    ...(route.body ? bodyErrorsOf(route.body) : []),
    ...((route.changes ?? route.method !== 'GET') ? [conflict, storageFull] : []),
    ...(route.idempotent ? [idempotencyInProgressError, idempotencyKeyReusedError] : []),
    ...(route.answers[101] ? [upgradeRequiredError, invalidHandshakeError, tooManyConnectionsError, connectionsExhaustedError] : []),
    ...(route.errors ?? []),
  ]
}

function credentialErrorsOf(route: HttpRoute): readonly RouteError[] {
  const { auth, method, actors = [], session = false, confirmed = false, foreign = false } = route
  const crossSite = method === 'GET' ? [] : [crossSiteRequestError]
  const peopleOnly = foreign || actorKinds.every((kind) => actors.includes(kind)) ? [] : [peopleOnlyError]
  if (auth === 'public') return [...crossSite, ...peopleOnly]
  return [
    ...[unauthenticatedError, scopeMissingError, ...policyProblems, ...crossSite, ...peopleOnly],
    ...(session || confirmed ? [sessionRequiredError] : []),
    ...(confirmed ? [confirmationRequiredError] : []),
  ]
}

const bodyErrorsOf = ({ kind }: NonNullable<HttpRoute['body']>): readonly RouteError[] => [
  ...[requestTimeoutError, bodyTooLargeError, unsupportedMediaTypeError],
  ...(kind === 'json' ? [malformedJsonError, nestingTooDeepError, tooManyValuesError, bodyTooComplexError] : []),
]

/** The status with which an error of a path is answered: another protocol may have its own. */
export type StatusOf = (path: string, error: RouteError) => number

/** The answers to a route's problems, by status, each with its codes. */
export function describeProblems(route: HttpRoute, problem: JsonObject, statusOf: StatusOf): JsonObject {
  const content = { 'application/problem+json': { schema: problem } }
  const codes = new Map<number, Set<string>>()
  for (const error of errorsOf(route)) {
    const status = statusOf(route.path, error)
    codes.set(status, (codes.get(status) ?? new Set()).add(error.code))
  }
  const byStatus = [...codes].sort(([one], [other]) => one - other)
  return {
    ...Object.fromEntries(
      byStatus
        .filter(([status]) => route.answers[status] === undefined)
        .map(([status, known]): readonly [string, JsonValue] => [
          String(status),
          { description: `${statusTexts[status] ?? 'An error.'} ${inWords(known)}`, content, 'x-codes': [...known] },
        ]),
    ),
    default: { description: 'An error of the service itself, or of something that it needs.', content },
  }
}

const inWords = (codes: ReadonlySet<string>): string =>
  `${codes.size === 1 ? 'Code' : 'Codes'}: ${[...codes].map((code) => `\`${code}\``).join(', ')}.`

/** One thing that is wrong with a request. */
export const problemDetailSchema: JsonObject = {
  type: 'object',
  description: 'One thing that is wrong with a request.',
  required: ['path', 'message'],
  properties: {
    path: { type: 'string', description: 'The JSON pointer of the value.', examples: ['/title'] },
    message: { type: 'string', description: 'What is wrong with it, or what was expected.', examples: ['must be a string'] },
  },
}

/** The body of every problem. `detail`: the reference to {@link problemDetailSchema}. */
export const problemSchema = (detail: JsonObject): JsonObject => ({
  type: 'object',
  description: 'An error response (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', description: 'Always `about:blank`: the kind of error is in `code`.', examples: ['about:blank'] },
    title: { type: 'string', description: 'A short name of the error.', examples: ['Not found'] },
    status: { type: 'integer', description: 'The status of the response.', examples: [404] },
    detail: { type: 'string', description: 'What went wrong and how to correct it.', examples: ['There is no such chat.'] },
    code: { type: 'string', description: 'The kind of error, in snake_case. Stable across versions.', examples: ['not_found'] },
    request_id: { type: 'string', description: 'The id of the request, as in `X-Request-Id` and in the log.' },
    errors: { type: 'array', description: 'The problems of a request that is not valid.', items: detail },
  },
})
