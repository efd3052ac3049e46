import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import type { Random } from '../../support/random.js'

/** Passes connections on, and cuts most of them after some bytes. */
export interface BreakingProxy {
  readonly port: number
  /** The port to pass on to. */
  target: number
  /** Whether connections are cut. Default: true. */
  isBreaking: boolean
  /** How many connections were cut. */
  readonly cuts: number
  close(): Promise<void>
}

/** Starts one on this machine, on a free port. Seven of ten connections are cut. */
export async function startBreakingProxy(random: Random): Promise<BreakingProxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((client) => {
    const service = connect({ host: '127.0.0.1', port: proxy.target })
    const both = [client, service]
    let room = proxy.isBreaking && random.between(1, 10) <= 7 ? random.between(1, 1_500_000) : Number.POSITIVE_INFINITY
    const end = (): void => {
      for (const socket of both) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (bytes: Buffer) => {
      if (bytes.length >= room) {
        cuts += 1
        // A part of what came arrives yet.
        service.write(bytes.subarray(0, room), () => end())
        room = 0
        client.pause()
        return
      }
      room -= bytes.length
      if (!service.write(bytes)) client.pause()
    })
    service.on('drain', () => client.resume())
    service.pipe(client)
  })
  const proxy = {
    port: 0,
    target: 0,
    isBreaking: true,
    get cuts() {
      return cuts
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
