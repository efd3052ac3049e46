import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '@agent-service/sdk'
import { addressUnavailableError } from '../errors.js'
import type { ListenAddress } from '../http-server.js'

const host = '127.0.0.1'

/**
 * The listener for programs that the service runs for others: the server's own. All other
 * connections come through the front door, which names each; so what is not known counts as one of a
 * program, which may do less.
 */
export function createProgramListener(server: Server, { logger }: { readonly logger: Logger }) {
  const ofPeople = new WeakSet<Socket>()
  return {
    /** Listens on a free port of the loopback. @throws `address_unavailable` */
    async listen(): Promise<ListenAddress> {
      server.listen({ host, port: 0 })
      await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
        throw addressUnavailableError.create({ host, port: 0, reason: cause.code ?? cause.message }, { cause })
      })
      server.on('error', (error) => logger.error('The HTTP listener for programs reported an error.', { error }))
      return { host, port: (server.address() as AddressInfo).port }
    },
    /** Passes a connection that came through the front door to the server. */
    receive(socket: Socket): void {
      ofPeople.add(socket)
      server.emit('connection', socket)
    },
    /** Whether a connection came through this listener. */
    isOfProgram: (socket: Socket): boolean => !ofPeople.has(socket),
  }
}
