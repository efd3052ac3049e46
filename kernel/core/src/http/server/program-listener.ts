import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Logger } from '@agent-service/sdk'
import { addressUnavailableError } from '../errors.js'
import type { ListenAddress } from '../http-server.js'

const host = '127.0.0.1'

/**
 * The listener for programs that the service runs for others. Hands its connections to the server,
 * which treats them as its own.
 */
export function createProgramListener(
  server: Server,
  { maxConnections, logger }: { readonly maxConnections: number; readonly logger: Logger },
) {
  const sockets = new WeakSet<Socket>()
  // As Node's HTTP server opens its own.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    server.emit('connection', socket)
  })
  listener.maxConnections = maxConnections
  return {
    /** Listens on a free port of the loopback. @throws `address_unavailable` */
    async listen(): Promise<ListenAddress> {
      listener.listen({ host, port: 0 })
      await once(listener, 'listening').catch((cause: NodeJS.ErrnoException) => {
        throw addressUnavailableError.create({ host, port: 0, reason: cause.code ?? cause.message }, { cause })
      })
      listener.on('error', (error) => logger.error('The HTTP listener for programs reported an error.', { error }))
      return { host, port: (listener.address() as AddressInfo).port }
    },
    /** Whether a connection came through it. */
    isOfProgram: (socket: Socket): boolean => sockets.has(socket),
    /** Accepts no more connections. The server has those that are open. */
    close: (): void => void listener.close(),
  }
}
