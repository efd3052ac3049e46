import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Logger } from '@agent-service/sdk'
import { addressUnavailableError } from '../errors.js'
import type { ListenAddress } from '../http-server.js'
import type { FrontDoor } from './front-door.js'

const host = '127.0.0.1'

/**
 * The listener for programs that the service runs for others. Hands its connections to the door,
 * which treats them as its own. They end with the server, though the door may outlive it.
 */
export function createProgramListener(
  door: Pick<FrontDoor, 'takeProgram'>,
  { maxConnections, logger }: { readonly maxConnections: number; readonly logger: Logger },
) {
  const sockets = new Set<Socket>()
  // As Node's HTTP server opens its own.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    door.takeProgram(socket)
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
    /** Accepts no more connections. The door has those that are open. */
    close: (): void => void listener.close(),
    /** Ends the connections that are open. */
    end(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}
