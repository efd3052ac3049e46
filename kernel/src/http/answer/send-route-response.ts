import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { HttpLimits } from '../http-options.js'
import type { Exchange } from '../request/exchange.js'
import { formatOwnCookie } from '../request/handler-request.js'
import { sendBytes, sendJson } from './send-bytes.js'
import { sendEvents } from './send-events.js'
import { sendStream } from './send-stream.js'

/** Headers that belong to the connection or to how a body is sent; a handler cannot set them. */
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

/** Sends what a handler of an owner answered. API answers are not kept by caches unless the handler says otherwise. */
export async function sendRouteResponse(
  exchange: Exchange,
  response: RouteResponse,
  ownerId: string,
  limits: Pick<HttpLimits, 'stalledReaderMs' | 'maxUnsentBytes'>,
): Promise<void> {
  const given = Object.entries(response.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers = {
    'cache-control': 'no-store',
    ...Object.fromEntries(given.filter(([name]) => !reserved.has(name) && name !== 'set-cookie')),
  }
  const cookies = [
    ...given.flatMap(([name, value]) => (name === 'set-cookie' ? [value] : [])),
    ...(response.cookies ?? []).map((cookie) => formatOwnCookie(cookie, ownerId)),
  ]
  if (cookies.length > 0) exchange.response.setHeader('set-cookie', cookies)
  const { status } = response
  switch (response.kind) {
    case 'json':
      sendJson(exchange, status, response.json, headers)
      return
    case 'empty':
      sendBytes(exchange, { status, headers })
      return
    case 'bytes':
      sendBytes(exchange, { status, headers, contentType: response.contentType, bytes: response.bytes })
      return
    case 'stream':
      await sendStream(exchange, { ...response, headers }, limits.stalledReaderMs)
      return
    case 'events':
      await sendEvents(exchange, { status, headers, events: response.events }, limits)
  }
}
