import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Exchange } from '../request/exchange.js'
import { formatOwnCookie } from '../request/handler-request.js'
import { ignoredHeader, nameIgnored } from './ignored-parameters.js'
import { sendBytes } from './send-bytes.js'
import { jsonType, sendCompressedJson } from './send-compressed-json.js'
import { type StreamClock, type StreamLimits, sendEvents } from './send-events.js'
import { sendStream } from './send-stream.js'

/** Headers of the connection or of the transfer; a handler cannot set them. */
const reserved = new Set([
  'connection',
  'content-length',
  'content-type',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
])

/** Headers that are set by themselves: cookies, and what others name too. */
const separate = new Set(['set-cookie', ignoredHeader])

/** The default headers of API responses. A handler can override them to permit caching. */
const plainHeaders: Readonly<Record<string, string>> = Object.freeze({ 'cache-control': 'no-store' })

/** Sends the response of a handler; a stream until its end. */
export function sendRouteResponse(
  exchange: Exchange,
  response: RouteResponse,
  ownerId: string,
  { limits, clock }: { readonly limits: StreamLimits; readonly clock: StreamClock },
): Promise<void> | void {
  const { status } = response
  const headers = response.headers || response.cookies ? headersOf(exchange, response, ownerId) : plainHeaders
  switch (response.kind) {
    case 'json':
      return response.compress
        ? sendCompressedJson(exchange, { status, headers, body: JSON.stringify(response.json) })
        : sendBytes(exchange, { status, headers, contentType: jsonType, body: JSON.stringify(response.json) })
    case 'empty':
      return sendBytes(exchange, { status, headers })
    case 'bytes':
      return sendBytes(exchange, { status, headers, contentType: response.contentType, body: response.bytes })
    case 'stream':
      return sendStream(exchange, { ...response, headers }, limits.maxStalledMs)
    case 'events':
      return sendEvents(exchange, { status, headers, events: response.events }, { ...limits, clock })
  }
}

/** The handler's headers without the reserved ones. Sets its cookies on the response. */
function headersOf(exchange: Exchange, response: RouteResponse, ownerId: string): Readonly<Record<string, string>> {
  const given = Object.entries(response.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const cookies = [
    ...given.flatMap(([name, value]) => (name === 'set-cookie' ? [value] : [])),
    ...(response.cookies ?? []).map((cookie) => formatOwnCookie(cookie, ownerId)),
  ]
  if (cookies.length > 0) exchange.response.setHeader('set-cookie', cookies)
  const ignored = given.filter(([name]) => name === ignoredHeader).flatMap(([, names]) => names.split(', '))
  nameIgnored(exchange.response, ignored)
  return { ...plainHeaders, ...Object.fromEntries(given.filter(([name]) => !reserved.has(name) && !separate.has(name))) }
}
