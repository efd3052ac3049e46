import type { Duplex } from 'node:stream'
import type { WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import type { WebSocket } from 'ws'
import { invalidHandshakeError } from '../errors.js'
import type { Exchange } from '../request/exchange.js'

/**
 * Answers a handshake that was checked with 101 and takes the connection over. Without compression: each connection would hold its windows in memory, and a
 * small message could become a large one. The result is paused. The library is loaded with the first handshake, since most starts need none.
 */
export async function takeOver(
  exchange: Exchange,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  { subprotocols = [] }: WebSocketRoute,
  maxMessageBytes: number,
): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws')
  exchange.controller.signal.throwIfAborted()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => subprotocols.find((name) => offered.has(name)) ?? false,
  })
  server.on('headers', (headers) => headers.push(`x-request-id: ${exchange.requestId}`))
  const { signal } = exchange.controller
  return new Promise((resolve, reject) => {
    // A connection that has ended meanwhile is dropped by the library without a word.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    server.once('wsClientError', (error) => reject(invalidHandshakeError.create({ reason: error.message }, { cause: error })))
    server.handleUpgrade(exchange.request, socket, head, (webSocket) => {
      exchange.response.statusCode = 101
      // Nothing is read before there are listeners.
      webSocket.pause()
      resolve(webSocket)
    })
  })
}
