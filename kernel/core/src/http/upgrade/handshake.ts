import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { crossSiteRequestError, invalidHandshakeError, upgradeRequiredError } from '../errors.js'
import { bearerOf } from '../request/credentials.js'
import type { Exchange, Transport } from '../request/exchange.js'
import type { OriginPolicy } from '../request/origin-policy.js'

/** Whether a request asks for a WebSocket, well-formed or not. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.trim().toLowerCase() === 'websocket'

/**
 * @throws `invalid_handshake` if it breaks RFC 6455, 4.2.1; `upgrade_required` if its version is
 * not 13
 */
export function checkHandshake({ method, httpVersion, headers, rawHeaders }: IncomingMessage): void {
  const refuse = (reason: string): never => {
    throw invalidHandshakeError.create({ reason })
  }
  if (method !== 'GET') refuse(`its method is ${String(method)}, not GET`)
  if (httpVersion !== '1.1') refuse(`it is HTTP/${httpVersion}, not HTTP/1.1`)
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) refuse('it has a body')
  const keys = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'sec-websocket-key').length
  if (keys !== 1 || !/^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    refuse('it must have one Sec-WebSocket-Key of 16 bytes in base64')
  if (headers['sec-websocket-version'] !== '13') throw upgradeRequiredError.create({})
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined && !protocols.split(',').every((name) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name.trim())))
    refuse('its Sec-WebSocket-Protocol must be a list of subprotocol names')
}

/**
 * A browser lets every page open a WebSocket to every host, sends the cookies along, and lets the
 * page read the messages. So the page's origin must be allowed, whatever credential it sends:
 * cookie, `?token=` or none. Pages cannot send a bearer token in a header, so the origin is not
 * checked with one. Credentials of other schemes are added by browsers and proxies.
 *
 * @throws `cross_site_request`
 */
export function checkHandshakeOrigin(request: IncomingMessage, origins: OriginPolicy): void {
  if (bearerOf(request) !== undefined) return
  if (!origins.allowsCookieChange(request)) throw crossSiteRequestError.create({})
}

/** How long a client may take to end a connection whose upgrade was refused. */
const lingerMs = 2_000

/**
 * Answers a refused handshake like an ordinary request, and closes the connection. `write` ends the
 * response. Resolves when the response is written or the client has disconnected; rejects with the
 * error of `write`. May be called again until the response has begun.
 */
export async function answerOnSocket({ response }: Exchange, { socket }: Transport, write: () => void | Promise<void>): Promise<void> {
  if (socket.destroyed) return
  const over = new Promise<void>((resolve) => {
    socket.once('close', resolve)
    response.once('finish', resolve)
  })
  if (!response.socket) attach(response, socket as Socket)
  await write()
  await over
}

function attach(response: Exchange['response'], socket: Socket): void {
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.end()
    // Discards further input of the client, so that its end is noticed.
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  })
  response.assignSocket(socket)
  response.shouldKeepAlive = false
  response.setHeader('connection', 'close')
}

const left: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/**
 * Ignores an upgrade that is not available (RFC 9110, 7.8) and returns the request to the server as
 * an ordinary one: some clients ask for h2c with every request. The head is rewritten without the
 * upgrade and put back before the rest of the input.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    if (left.has(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`)
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  socket.unshift(Buffer.concat([head, rest]))
  server.emit('connection', socket)
}

/**
 * The options of a `Connection` header without those of the upgrade; if none is left, `keep-alive`,
 * the default of HTTP/1.1.
 */
function withoutUpgrade(value: string): string {
  const options = value.split(',').map((option) => option.trim())
  const kept = options.filter((option) => !left.has(option.toLowerCase()) && option !== '')
  return kept.length === 0 ? 'keep-alive' : kept.join(', ')
}
