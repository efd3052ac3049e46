import { type Logger, ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Context, Middleware } from 'koa'
import { problemContentType, problemOf } from '../answer/problem.js'
import { sendBytes } from '../answer/send-bytes.js'
import type { Dispatcher } from '../dispatcher.js'
import { invalidHeadError, notReadyError, rateLimitedError, routeStoppingError, unauthenticatedError } from '../errors.js'
import { logExchange } from '../limits/access-log.js'
import type { AuthRateLimiter } from '../limits/auth-rate-limiter.js'
import type { OriginPolicy } from '../limits/origin-policy.js'
import { ClientGoneError, type Exchange, GivenUpError } from './exchange.js'
import { parseRequestTarget, type RequestTarget } from './request-target.js'

/** Headers of an answer that failed before it began. */
const answerHeaders = ['etag', 'last-modified', 'content-disposition', 'content-length', 'location', 'set-cookie']

/** Sends an error as a problem, and writes it to the log where it is the service's own. */
export function answerProblem(exchange: Exchange, thrown: unknown, logger: Logger): void {
  const error = thrown instanceof GivenUpError ? toServiceError(thrown) : thrown
  const { document, headers } = problemOf(error, exchange.requestId)
  // Whoever comes while the service starts is told to come again; that is no fault, and the line of the request says it.
  if (document.status >= 500 && !notReadyError.isInstance(error)) {
    logger.error(document.status === 500 ? 'A request failed inside the service.' : 'A request could not be served.', {
      error,
      request_id: exchange.requestId,
      method: exchange.method,
      operation: exchange.route?.operationId,
    })
  }
  if (!exchange.response.headersSent) for (const name of answerHeaders) exchange.response.removeHeader(name)
  sendBytes(exchange, {
    status: document.status,
    headers: { 'cache-control': 'no-store', ...headers },
    contentType: problemContentType,
    bytes: Buffer.from(JSON.stringify({ ...document, ...exchange.route?.problemMembers?.(document) })),
  })
}

const toServiceError = (error: GivenUpError): ServiceError =>
  error.reason === 'credential_ended'
    ? unauthenticatedError.create({}, { cause: error })
    : routeStoppingError.create({ owner: 'the service' }, { cause: error, retryAfterSeconds: 5 })

/** What every request passes, found or not, in this order: answer headers, protocol, CORS, the limit of account routes, then the dispatcher. */
export function createPipeline(options: {
  readonly logger: Logger
  readonly clock: Clock
  readonly headers: Readonly<Record<string, string>>
  readonly origins: OriginPolicy
  readonly authRateLimiter: AuthRateLimiter
  readonly dispatch: Dispatcher
  readonly exchangeOf: (context: Context) => Exchange
  readonly finished: (exchange: Exchange, durationMs: number) => void
}): Middleware {
  const { logger, clock, headers, origins, authRateLimiter, dispatch } = options
  return async (context) => {
    const exchange = options.exchangeOf(context)
    context.respond = false
    const { response } = exchange
    const startedAt = clock.monotonic()
    response.once('close', () => {
      const durationMs = clock.monotonic() - startedAt
      logExchange(logger, exchange, durationMs)
      options.finished(exchange, durationMs)
    })
    response.setHeader('x-request-id', exchange.requestId)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    try {
      checkHost(exchange)
      if (allowOrigin(exchange, origins)) return
      const target = readTarget(exchange)
      limitAccountRoutes(exchange, target, authRateLimiter)
      if ('error' in target) throw target.error
      await dispatch(context, exchange, target)
    } catch (thrown) {
      const error = reasonOf(exchange, thrown)
      if (error instanceof ClientGoneError) {
        exchange.controller.abort(error)
        response.destroy()
      } else if (response.headersSent) {
        // The answer has begun: all that can be said is that it is not whole.
        logger.error('An answer broke off.', { error, request_id: exchange.requestId, operation: exchange.route?.operationId })
        response.destroy()
      } else {
        answerProblem(exchange, error, logger)
      }
    }
  }
}

/**
 * What a handler throws because its signal was aborted matters less than why it was. A 401 of its own says more than that its credential has ended: a
 * refresh token that was used twice ends the session that it belongs to.
 */
export function reasonOf({ controller }: Exchange, thrown: unknown): unknown {
  const { reason } = controller.signal
  if (reason instanceof ClientGoneError) return reason
  if (!(reason instanceof GivenUpError)) return thrown
  return reason.reason === 'credential_ended' && ServiceError.isInstance(thrown) && thrown.status === 401 ? thrown : reason
}

/** @throws `invalid_request_head` unless the request names one host. */
export function checkHost({ request }: Exchange): void {
  const hosts = request.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1'))
    throw invalidHeadError.create({ reason: 'it must have exactly one Host header' })
}

/** Sets the CORS headers for a listed origin. True when the request was a preflight and has been answered. */
function allowOrigin(exchange: Exchange, origins: OriginPolicy): boolean {
  const { request, response, method } = exchange
  if (request.headers.origin === undefined) return false
  response.appendHeader('vary', 'Origin')
  const origin = origins.corsOrigin(request)
  if (origin === undefined) return false
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, idempotency-replayed, etag, location')
  if (method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
  sendBytes(exchange, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-request-id',
      'access-control-max-age': '600',
    },
  })
  return true
}

/** The target taken apart, or why it cannot be. */
export function readTarget(exchange: Exchange): RequestTarget | { readonly error: unknown } {
  try {
    return parseRequestTarget(exchange.request.url ?? '')
  } catch (error) {
    return { error }
  }
}

/** Every request under /api/auth/ costs a token, also one whose path is not valid; OPTIONS alone is free. */
export function limitAccountRoutes(
  exchange: Exchange,
  target: RequestTarget | { readonly error: unknown },
  limiter: AuthRateLimiter,
): void {
  const path = 'error' in target ? (exchange.request.url ?? '') : target.path
  if (exchange.method === 'OPTIONS' || !path.startsWith('/api/auth/')) return
  const { allowed, retryAfterSeconds } = limiter.take(exchange.client.address)
  if (!allowed) throw rateLimitedError.create({ what: 'requests from this address' }, { retryAfterSeconds })
}
