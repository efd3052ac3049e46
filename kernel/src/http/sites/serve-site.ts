import type { Logger } from '@agent-service/sdk'
import type { SiteHeaders, SiteResponse } from '@agent-service/sdk/contracts/http-site'
import type { Clock } from '@agent-service/sdk/services/clock'
import { endIteration, sendStream } from '../answer/send-stream.js'
import { streamBody } from '../body/stream-body.js'
import type { HttpLimits } from '../http-options.js'
import { logExchange } from '../limits/access-log.js'
import { announcesBody, ClientGoneError, type Exchange, GivenUpError } from '../request/exchange.js'
import { answerProblem, checkHost, reasonOf } from '../request/pipeline.js'
import { watchForEnd } from '../request/watch-for-end.js'
import { siteAnswerHeaders } from './site-headers.js'
import { leaseSite, siteRequestOf } from './site-request.js'
import type { SiteMatch } from './site-table.js'

/** What serving sites needs. */
export interface SiteServerOptions {
  readonly logger: Logger
  readonly clock: Clock
  readonly limits: Pick<HttpLimits, 'stalledReaderMs' | 'bodyIdleMs'>
  /** Of a request's body. */
  readonly ceilingBytes: number
  /** Of every answer, where the site says nothing else. */
  readonly headers: Readonly<Record<string, string>>
  readonly finished: (exchange: Exchange, durationMs: number) => void
}

/**
 * Answers a request to a claimed host by its site alone. Nothing of the API is reached: no credential is read, no CORS header set, no path looked at. Never
 * rejects.
 */
export async function serveSite(options: SiteServerOptions, exchange: Exchange, match: SiteMatch): Promise<void> {
  const { clock, logger } = options
  const { response } = exchange
  exchange.site = match.host
  const startedAt = clock.monotonic()
  response.once('close', () => {
    const durationMs = clock.monotonic() - startedAt
    logExchange(logger, exchange, durationMs)
    options.finished(exchange, durationMs)
  })
  setHeaders(options, exchange)
  try {
    checkHost(exchange)
    await answer(options, exchange, match)
  } catch (thrown) {
    const error = reasonOf(exchange, thrown)
    if (error instanceof ClientGoneError || response.headersSent) {
      if (!(error instanceof ClientGoneError))
        logger.warn('An answer of a site broke off.', { error, request_id: exchange.requestId, site: match.host })
      exchange.controller.abort(error)
      response.destroy()
    } else {
      setHeaders(options, exchange)
      answerProblem(exchange, error, logger)
    }
  }
}

/** The headers of every answer, and none that a site has set. */
function setHeaders({ headers }: SiteServerOptions, { response, requestId }: Exchange): void {
  for (const name of response.getHeaderNames()) if (name !== 'connection') response.removeHeader(name)
  response.setHeader('x-request-id', requestId)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

async function answer(options: SiteServerOptions, exchange: Exchange, match: SiteMatch): Promise<void> {
  const { site, owner, lease } = leaseSite(match)
  const stopWatching = watchForEnd(
    { clock: options.clock, signals: [{ signal: lease?.signal, reason: 'stopping' }], expiresAt: undefined },
    (reason) => exchange.controller.abort(new GivenUpError(reason)),
  )
  try {
    const body = announcesBody(exchange.request)
      ? streamBody(exchange, {
          limit: { bytes: options.ceilingBytes, name: 'server.max_body_size_bytes' },
          idleMs: options.limits.bodyIdleMs,
        })
      : noBytes
    const answered = await site.handle(siteRequestOf(exchange, match, body))
    await sendSiteResponse(exchange, answered, owner.id, options.limits.stalledReaderMs)
  } finally {
    stopWatching()
    lease?.release()
  }
}

const noBytes: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}

/** Sends what a site answered. A body is held to the length that was announced, so that it never runs into the next answer of the connection. */
export async function sendSiteResponse(exchange: Exchange, answered: SiteResponse, ownerId: string, stalledMs: number): Promise<void> {
  const { status, body = noBytes } = answered
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`A site of “${ownerId}” answered with the status ${String(status)}; it must be 200 to 599.`)
  const headers = siteAnswerHeaders(answered.headers)
  const length = lengthOf(headers)
  const bodiless = status === 204 || status === 304 || exchange.method === 'HEAD'
  for (const name of new Set(headers.map(([each]) => each))) exchange.response.removeHeader(name)
  for (const [name, value] of headers) if (name !== 'content-length') exchange.response.appendHeader(name, value)
  if (bodiless) {
    if (length !== undefined && status !== 204) exchange.response.setHeader('content-length', length)
    exchange.response.statusCode = status
    exchange.response.end()
    endIteration(body[Symbol.asyncIterator]())
    return
  }
  await sendStream(exchange, { status, headers: {}, stream: body, ...(length === undefined ? {} : { length }) }, stalledMs)
}

function lengthOf(headers: SiteHeaders): number | undefined {
  const lengths = new Set(headers.flatMap(([name, value]) => (name === 'content-length' ? [value] : [])))
  if (lengths.size === 0) return undefined
  const [text = ''] = lengths
  if (lengths.size > 1 || !/^\d{1,15}$/.test(text)) throw new RangeError(`“${[...lengths].join(', ')}” is not a Content-Length.`)
  return Number(text)
}
