import type { HttpSite, SiteRequest } from '@agent-service/sdk/contracts/http-site'
import { invalidHeadError, invalidPathError, routeStoppingError } from '../errors.js'
import type { Exchange } from '../request/exchange.js'
import type { OwnerLease, RouteOwner } from '../route-table.js'
import { siteRequestHeaders } from './site-headers.js'
import type { SiteMatch } from './site-table.js'

/** A site whose owner works for this exchange, until the lease is released. */
export interface LeasedSite {
  readonly site: HttpSite
  readonly owner: RouteOwner
  readonly lease: OwnerLease | undefined
}

/** @throws `route_stopping` while the owner of the host does not run, or is about to stop. */
export function leaseSite({ site, owner, ownerId }: SiteMatch): LeasedSite {
  const lease = owner?.stopping?.aborted ? undefined : owner?.acquire?.()
  if (!site || !owner || owner.stopping?.aborted || (owner.acquire && !lease))
    throw routeStoppingError.create({ owner: ownerId }, { retryAfterSeconds: 5 })
  return { site, owner, lease }
}

/** What a site sees of a request. @throws `invalid_request_head` for a label that is none, `invalid_path` for a target in another form than path and query. */
export function siteRequestOf(exchange: Exchange, match: SiteMatch, body: AsyncIterable<Uint8Array>): SiteRequest {
  const target = exchange.request.url ?? ''
  if (match.label !== undefined && !/^[a-z0-9_-]{1,63}$/.test(match.label))
    throw invalidHeadError.create({ reason: 'its Host is not a host name' })
  if (!target.startsWith('/')) throw invalidPathError.create({ reason: 'it must begin with “/”' })
  return Object.freeze<SiteRequest>({
    method: exchange.method,
    host: match.host,
    ...(match.label === undefined ? {} : { label: match.label }),
    target,
    headers: siteRequestHeaders(exchange.request),
    body,
    requestId: exchange.requestId,
    address: exchange.client.address,
    signal: exchange.controller.signal,
  })
}
