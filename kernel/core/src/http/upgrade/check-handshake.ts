import type { IncomingMessage } from 'node:http'
import { crossSiteRequestError, invalidHandshakeError, upgradeRequiredError } from '../errors.js'
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
 * cookie, `?token=` or none. Pages cannot send `Authorization`, so the origin is not checked with
 * it.
 *
 * @throws `cross_site_request`
 */
export function checkHandshakeOrigin(request: IncomingMessage, origins: OriginPolicy): void {
  if (request.headers.authorization !== undefined) return
  if (!origins.allowsCookieChange(request)) throw crossSiteRequestError.create({})
}
