import { ServiceError } from '@agent-service/sdk'
import { httpRedirectRefusedError } from '@agent-service/sdk/services/http-client'
import { type CheckedRequest, checkedUrl, harmlessHeaders } from './check-request.js'
import type { Hop, HopAnswer } from './send-hop.js'

/** The last answer of a chain. */
export interface ChainAnswer {
  readonly answer: HopAnswer
  readonly url: URL
  readonly redirects: number
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends the hops of a request, each through `send`, which checks its address. A redirect's response
 * is closed before the next hop.
 */
export async function followRedirects(request: CheckedRequest, send: (hop: Hop) => Promise<HopAnswer>): Promise<ChainAnswer> {
  let hop: Hop = { url: request.url, method: request.method, headers: request.headers, body: request.body }
  for (let redirects = 0; ; redirects += 1) {
    const answer = await send(hop)
    const location = answer.headers['location']
    const leadsOn = redirectStatus.has(answer.status) && location !== undefined && request.redirect !== 'return'
    if (!leadsOn) return { answer, url: hop.url, redirects }
    answer.end()
    if (request.redirect === 'refuse') throw refused(hop, 'this request does not follow redirects.')
    if (redirects >= request.maxRedirects) throw refused(hop, `there were more than ${request.maxRedirects} redirects.`)
    hop = nextHop(hop, { status: answer.status, location, origin: request.url.origin })
  }
}

function nextHop(
  hop: Hop,
  { status, location, origin }: { readonly status: number; readonly location: string; readonly origin: string },
): Hop {
  const url = locationOf(hop, location)
  const asGet = (status === 303 && hop.method !== 'HEAD') || ((status === 301 || status === 302) && hop.method === 'POST')
  const body = asGet ? undefined : hop.body
  if (url.origin === origin && hop.url.origin === origin)
    return { url, method: asGet ? 'GET' : hop.method, headers: withBody(hop.headers, body), body }
  if (body !== undefined) throw refused(hop, 'it would send the body of the request to another origin.')
  return { url, method: asGet ? 'GET' : hop.method, headers: withBody(harmlessHeaders(hop.headers), body), body }
}

function locationOf(hop: Hop, location: string): URL {
  try {
    return checkedUrl(location, hop.url)
  } catch (error) {
    if (ServiceError.isInstance(error)) throw refused(hop, 'its target is not a valid URL.', error)
    throw error
  }
}

const withBody = (headers: Readonly<Record<string, string>>, body: Uint8Array | undefined): Readonly<Record<string, string>> =>
  body ? headers : Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))

const refused = (hop: Hop, reason: string, cause?: unknown): Error =>
  httpRedirectRefusedError.create({ host: hop.url.hostname, reason }, cause === undefined ? undefined : { cause })
