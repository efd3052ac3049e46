import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpLimits } from '../http-options.js'
import { ignoreUpgrade } from '../upgrade/handshake.js'

/** The handlers of Node's server. */
export interface ConnectionHandlers {
  readonly receive: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * A request that asks for another protocol. Node no longer manages the connection; `ignore` lets it
   * treat the request as if it had not asked.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, ignore: () => void) => void
  /** Input that is not HTTP, or a body with wrong framing. */
  readonly fail: (error: NodeJS.ErrnoException, socket: Socket) => void
}

/**
 * Makes Node's server with the limits of the service. It does not listen yet. The times for the head and for the whole
 * of a request begin with its first byte, so they do not end a connection that waits for its next one.
 */
export function createNodeServer(limits: HttpLimits, { receive, upgrade, fail }: ConnectionHandlers): Server {
  const server = createServer(
    {
      keepAlive: true,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: 30 * 60_000,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    receive,
  )
  server.maxConnections = limits.maxConnections
  server.on('checkContinue', receive)
  // Other expectations may be ignored (RFC 9110, 10.1.1); Node would answer them itself, without a
  // problem document.
  server.on('checkExpectation', receive)
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, () => ignoreUpgrade(server, request, socket, head)))
  server.on('clientError', fail)
  return server
}
