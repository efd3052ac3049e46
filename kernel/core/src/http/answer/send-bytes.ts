import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody, type Exchange } from '../request/exchange.js'

/** How much of an unwanted body is discarded so that the client can still read the response. */
const lingerBytes = 8 * 1024 * 1024
const lingerMs = 2_000
/** An unread body up to this size is left to Node, which discards it between two requests. */
const smallBody = 64 * 1024

/**
 * Sends a complete response. If the request's body is still arriving, the connection is closed
 * afterwards, but only after the client had a chance to read the response. Does nothing if the
 * response has already begun.
 */
export function sendBytes(
  exchange: Exchange,
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly contentType?: string
    /** Text is sent together with the head, in one piece. */
    readonly body?: Uint8Array | string
  },
): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const { status, headers, contentType, body = '' } = answer
  for (const name in headers) {
    // What the answer varies by comes on top of what it varies by for every route.
    if (name === 'vary') response.appendHeader(name, headers[name] ?? '')
    else response.setHeader(name, headers[name] ?? '')
  }
  response.statusCode = status
  const bodiless = status === 204 || status === 304
  if (contentType !== undefined) response.setHeader('content-type', contentType)
  if (!bodiless) response.setHeader('content-length', Buffer.byteLength(body))
  const sent = bodiless || exchange.method === 'HEAD' ? '' : body
  if (status === 408) response.setHeader('connection', 'close')
  if (status === 408 || !isStillArriving(request)) {
    response.end(sent)
    return
  }
  response.setHeader('connection', 'close')
  if (sent.length > 0) response.write(sent)
  else response.flushHeaders()
  endAfterReading(request, response)
}

const isStillArriving = (request: IncomingMessage): boolean =>
  !request.complete && announcesBody(request) && !(Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBody)

/**
 * Discards the rest of the body, within limits, then ends the response, which closes the
 * connection.
 */
function endAfterReading(request: IncomingMessage, response: ServerResponse): void {
  let read = 0
  const finish = () => {
    clearTimeout(timer)
    request.off('data', count)
    if (!response.writableEnded) response.end()
  }
  const count = (chunk: Uint8Array) => {
    read += chunk.byteLength
    if (read > lingerBytes) finish()
  }
  const timer = setTimeout(finish, lingerMs)
  timer.unref()
  request.on('data', count)
  request.once('end', finish)
  request.once('close', finish)
  request.once('error', finish)
  request.resume()
}
