import { type Logger, ServiceError } from '@agent-service/sdk'
import { notReadyError, routeStoppingError, unauthenticatedError } from '../errors.js'
import { ClientGoneError, type Exchange, GivenUpError } from '../request/exchange.js'
import { problemContentType, problemOf } from './problem.js'
import { sendBytes } from './send-bytes.js'

/** Headers of an answer that failed before it began. */
const answerHeaders = ['etag', 'last-modified', 'content-disposition', 'content-length', 'location', 'set-cookie', 'accept-ranges']

/** Sends an error as a problem, and writes it to the log where it is the service's own. */
export function answerProblem(exchange: Exchange, thrown: unknown, logger: Logger): void {
  const error = thrown instanceof GivenUpError ? toServiceError(thrown) : thrown
  const { document, headers } = problemOf(error, exchange.requestId)
  // A client that comes while the service starts is asked to come again; that is no fault, and the line of the request says it.
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

/**
 * What a handler throws because its signal was aborted matters less than why it was. A 401 of its own says more than that its credential
 * has ended: a refresh token that was used twice ends the session that it belongs to.
 */
export function reasonOf({ controller }: Exchange, thrown: unknown): unknown {
  const { reason } = controller.signal
  if (reason instanceof ClientGoneError) return reason
  if (!(reason instanceof GivenUpError)) return thrown
  return reason.reason === 'credential_ended' && ServiceError.isInstance(thrown) && thrown.status === 401 ? thrown : reason
}
