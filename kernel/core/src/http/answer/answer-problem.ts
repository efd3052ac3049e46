import { type Logger, ServiceError } from '@agent-service/sdk'
import { notReadyError, routeStoppingError, unauthenticatedError } from '../errors.js'
import { ClientDisconnectedError, type Exchange, ExchangeEndedError } from '../request/exchange.js'
import { plainPath } from '../request/mend-target.js'
import { type ErrorFormats, formatAnswer } from './error-formats.js'
import { ignoredBy, nameIgnored } from './ignored-parameters.js'
import { isDeclared, isUpstreamStatus, type ProblemAnswer, problemContentType, problemOf } from './problem.js'
import { sendBytes } from './send-bytes.js'

/** Headers that the handler may have set for a response that then failed. */
const answerHeaders = [
  'etag',
  'last-modified',
  'content-disposition',
  'content-encoding',
  'content-length',
  'location',
  'set-cookie',
  'accept-ranges',
]

/** What answering an error needs. */
export interface ProblemServices {
  readonly logger: Logger
  readonly table: { readonly errorFormats: Pick<ErrorFormats, 'find' | 'findMistaken'> }
}

/**
 * Sends an error as a problem document, in the format of its path if there is one, and logs it if
 * the service itself failed.
 */
export function answerProblem(exchange: Exchange, thrown: unknown, { logger, table }: ProblemServices): void {
  const error = thrown instanceof ExchangeEndedError ? toServiceError(thrown) : thrown
  const plain = problemOf(error, exchange.requestId, exchange.route?.errors)
  exchange.problemCode = plain.document.code
  const path = pathOf(exchange)
  const { document, headers } = exchange.site ? plain : formatAnswer(plain, formatOf(exchange, path, table.errorFormats), { path, logger })
  if (ServiceError.isInstance(error)) nameIgnored(exchange.response, ignoredBy(error))
  // A request during the start is not a failure, and the request's own log line has its status.
  if (plain.document.status >= 500 && !notReadyError.isInstance(error)) logFailure(exchange, error, { plain, logger })
  if (!exchange.response.headersSent) for (const name of answerHeaders) exchange.response.removeHeader(name)
  sendBytes(exchange, {
    status: document.status,
    headers: { 'cache-control': 'no-store', ...headers },
    contentType: problemContentType,
    body: JSON.stringify(document),
  })
}

/**
 * What the route declares as unavailable is one of its answers, not a fault of the service: it is
 * logged as a warning, and without a stack unless something else caused it.
 */
function logFailure(exchange: Exchange, error: unknown, { plain, logger }: { plain: ProblemAnswer; logger: Logger }): void {
  const { status, code, detail } = plain.document
  const fields = { request_id: exchange.requestId, method: exchange.method, operation: exchange.route?.operationId }
  if (isUpstreamStatus(status)) logger.warn('Another system that a request needs failed.', { error, ...fields })
  else if (status === 500) logger.error('A request failed with an internal error.', { error, ...fields })
  else if (!isDeclared(exchange.route?.errors, { status, code })) logger.error('A request could not be served.', { error, ...fields })
  else
    logger.warn('A request could not be served.', {
      ...((error as Error).cause === undefined ? { code, reason: detail } : { error }),
      ...fields,
    })
}

/** The format of an error at a path; where nothing is, also that of a protocol which is looked for there by mistake. */
function formatOf(
  { route, problemCode }: Exchange,
  path: string,
  formats: ProblemServices['table']['errorFormats'],
): ReturnType<ErrorFormats['find']> {
  const isNothing = !route && (problemCode === 'not_found' || problemCode === 'invalid_path')
  return formats.find(path) ?? (isNothing ? formats.findMistaken(plainPath(path)) : undefined)
}

/** The decoded path, or the one of the request line if it was not decoded. */
const pathOf = ({ target, request }: Exchange): string => target?.path ?? (request.url ?? '').split('?', 1)[0] ?? ''

const toServiceError = (error: ExchangeEndedError): ServiceError =>
  error.reason === 'credential_ended'
    ? unauthenticatedError.create({}, { cause: error })
    : routeStoppingError.create({ owner: 'the service' }, { cause: error, retryAfterSeconds: 5 })

/**
 * When the exchange was aborted, the reason replaces what the handler threw. The exception is a 401
 * of the handler when the credential has ended: it is more specific. A reused refresh token, for
 * example, ends the session that it belongs to.
 */
export function reasonOf({ controller }: Exchange, thrown: unknown): unknown {
  const { reason } = controller.signal
  if (reason instanceof ClientDisconnectedError) return reason
  if (!(reason instanceof ExchangeEndedError)) return thrown
  return reason.reason === 'credential_ended' && ServiceError.isInstance(thrown) && thrown.status === 401 ? thrown : reason
}
