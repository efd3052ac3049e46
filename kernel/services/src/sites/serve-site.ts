import type { OwnerLease, RouteOwner, SiteMatch } from '@agent-service/kernel-core/http'
import {
  invalidHandshakeError,
  invalidHeadError,
  invalidPathError,
  notReadyError,
  routeStoppingError,
} from '@agent-service/kernel-core/http'
import { endIteration, sendStream } from '@agent-service/kernel-core/http/answer'
import { streamBody } from '@agent-service/kernel-core/http/body'
import { announcesBody, type EndReason, type Exchange, ExchangeEndedError, watchLifetime } from '@agent-service/kernel-core/http/request'
import type { SiteServices, Sites } from '@agent-service/kernel-core/http/server'
import { answerOnSocket } from '@agent-service/kernel-core/http/upgrade'
import type { HttpSite, SiteHeaders, SiteRequest, SiteResponse } from '@agent-service/sdk/contracts/http-site'
import { siteAnswerHeaders, siteRequestHeaders, siteSecurityHeaders } from './site-headers.js'
import { openTunnel, receivedBytes } from './site-tunnel.js'

/** Makes the server of claimed hosts. */
export const openSites = (services: SiteServices): Sites => ({
  headers: siteSecurityHeaders(services.ownUrls),
  serve: (exchange, match) => serveSite(services, exchange, match),
})

/**
 * Answers a request to a claimed host only by its site, and a handshake by a tunnel if the site
 * accepts it. The API is not involved: no credential is read, no CORS header is set, no route is
 * matched. Resolves when the response is written or the connection has ended. Errors are answered
 * as problems.
 */
async function serveSite(services: SiteServices, exchange: Exchange, match: SiteMatch): Promise<void> {
  const { transport, controller } = exchange
  if (transport) checkTunnel(services, exchange)
  const { site, owner, lease } = leaseSite(match)
  const end = (reason: EndReason): void => controller.abort(new ExchangeEndedError(reason))
  if (transport) exchange.closeEarly = end
  const stopWatching = watchLifetime(
    {
      clock: services.clock,
      credential: undefined,
      owner: lease?.signal,
      stopping: transport && owner.stopping,
      expiresAt: undefined,
    },
    end,
  )
  const { maxStalledMs } = services.limits
  try {
    if (!transport) {
      const answered = await site.handle(siteRequestOf(exchange, match, bodyOf(services, exchange)))
      return await sendSiteResponse(exchange, answered, owner.id, maxStalledMs)
    }
    const answer = site.upgrade?.(siteRequestOf(exchange, match, receivedBytes(transport, controller.signal)))
    if (!answer) throw invalidHandshakeError.create({ reason: 'this host does not accept WebSockets' })
    const refusal = await openTunnel(exchange, transport.socket, answer, maxStalledMs)
    if (refusal) await answerOnSocket(exchange, transport, () => sendSiteResponse(exchange, refusal, owner.id, maxStalledMs))
    return undefined
  } finally {
    stopWatching()
    lease?.release()
  }
}

function checkTunnel({ draining }: SiteServices, { method }: Exchange): void {
  if (draining()) throw notReadyError.create({ step: 'draining' }, { retryAfterSeconds: 2 })
  if (method !== 'GET') throw invalidHandshakeError.create({ reason: `its method is ${method}, not GET` })
}

/** @throws `route_stopping` if the owner of the host does not run, or is about to stop. */
function leaseSite({ site, owner, ownerId }: SiteMatch): {
  readonly site: HttpSite
  readonly owner: RouteOwner
  readonly lease: OwnerLease | undefined
} {
  const lease = owner?.stopping?.aborted ? undefined : owner?.acquire?.()
  if (!site || !owner || owner.stopping?.aborted || (owner.acquire && !lease))
    throw routeStoppingError.create({ owner: ownerId }, { retryAfterSeconds: 5 })
  return { site, owner, lease }
}

/**
 * The request as the site sees it. @throws `invalid_request_head` if the label is not valid,
 * `invalid_path` if the target is not in origin form
 */
function siteRequestOf(exchange: Exchange, { host, label }: SiteMatch, body: AsyncIterable<Uint8Array>): SiteRequest {
  const target = exchange.request.url ?? ''
  if (label !== undefined && !/^[a-z0-9_-]{1,63}$/.test(label))
    throw invalidHeadError.create({ reason: 'its Host is not a valid host name' })
  if (!target.startsWith('/')) throw invalidPathError.create({ reason: 'it must begin with “/”' })
  return Object.freeze<SiteRequest>({
    method: exchange.method,
    host,
    ...(label !== undefined && { label }),
    target,
    headers: siteRequestHeaders(exchange.request),
    body,
    requestId: exchange.requestId,
    address: exchange.client.address,
    signal: exchange.controller.signal,
  })
}

const bodyOf = ({ maxBodyBytes, limits }: SiteServices, exchange: Exchange): AsyncIterable<Uint8Array> =>
  announcesBody(exchange.request)
    ? streamBody(exchange, { limit: { maxBytes: maxBodyBytes, name: 'server.max_body_size_bytes' }, maxIdleMs: limits.maxBodyIdleMs })
    : noBytes

const noBytes: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}

/**
 * Checks the announced length of the body, so that it never runs into the next response of the
 * connection.
 */
async function sendSiteResponse(exchange: Exchange, answered: SiteResponse, ownerId: string, maxStalledMs: number): Promise<void> {
  const { status, body = noBytes } = answered
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`A site of “${ownerId}” answered with the status ${String(status)}; expected 200 to 599.`)
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
  await sendStream(exchange, { status, headers: {}, stream: body, ...(length === undefined ? {} : { length }) }, maxStalledMs)
}

function lengthOf(headers: SiteHeaders): number | undefined {
  const lengths = new Set(headers.flatMap(([name, value]) => (name === 'content-length' ? [value] : [])))
  if (lengths.size === 0) return undefined
  const [text = ''] = lengths
  if (lengths.size > 1 || !/^\d{1,15}$/.test(text))
    throw new RangeError(`The Content-Length “${[...lengths].join(', ')}” of a site's response is not valid; expected one whole number.`)
  return Number(text)
}
