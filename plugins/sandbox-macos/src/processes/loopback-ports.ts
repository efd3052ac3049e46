import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type PortForward, type SandboxRequest, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'

/** What a process may reach and offer on the host's loopback. */
export interface OpenedPorts {
  readonly connect: readonly number[]
  readonly listen: readonly number[]
  close(): void
}

/**
 * Ports of the host's loopback, shared by all processes: macOS has no loopback for each principal.
 * A port leads to one destination, and is offered by one process, at a time.
 */
export interface LoopbackPorts {
  /** @throws `sandbox_refused` if a port is taken. */
  open(request: Pick<SandboxRequest, 'principal' | 'network'>): Promise<OpenedPorts>
}

interface Forwarded {
  readonly to: PortForward['to']
  /** Resolves with its end when it listens. */
  readonly listening: Promise<() => void>
  users: number
}

export function createLoopbackPorts(): LoopbackPorts {
  const forwarded = new Map<number, Forwarded>()
  /** The principals whose processes offer a port. */
  const offered = new Map<number, string>()
  const forward = async ({ port, to }: PortForward): Promise<() => void> => {
    const entry = forwarded.get(port) ?? { to, listening: isDirect(port, to) ? Promise.resolve(nothing) : listen(port, to), users: 0 }
    if (entry.to.host !== to.host || entry.to.port !== to.port) throw taken(port, 'leads elsewhere for another process')
    forwarded.set(port, entry)
    entry.users += 1
    const release = (): void => {
      entry.users -= 1
      if (entry.users > 0) return
      forwarded.delete(port)
      entry.listening.then((close) => close()).catch(() => undefined)
    }
    try {
      await entry.listening
      return release
    } catch (error) {
      release()
      throw error
    }
  }
  return {
    async open({ principal, network }) {
      const undo: (() => void)[] = []
      const close = (): void => {
        for (const each of undo.splice(0).reverse()) each()
      }
      try {
        for (const port of network.expose) {
          if (offered.has(port) || forwarded.has(port)) throw taken(port, 'is offered by another process')
          offered.set(port, principal)
          undo.push(() => offered.delete(port))
          await assertFree(port)
        }
        for (const each of network.forward) {
          if (offered.has(each.port)) throw taken(each.port, 'is offered by another process')
          undo.push(await forward(each))
        }
        const own = [...offered].filter(([port, by]) => by === principal && !network.expose.includes(port)).map(([port]) => port)
        return { connect: [...network.forward.map(({ port }) => port), ...own], listen: network.expose, close }
      } catch (error) {
        close()
        throw error
      }
    },
  }
}

const nothing = (): void => undefined

const taken = (port: number, why: string): Error => sandboxRefusedError.create({ reason: `port ${port} of the host’s loopback ${why}` })

/** The service listens there itself. */
const isDirect = (port: number, to: PortForward['to']): boolean => to.port === port && ['127.0.0.1', 'localhost'].includes(to.host)

/** Leads connections of the port to the destination, until it is closed. */
async function listen(port: number, to: PortForward['to']): Promise<() => void> {
  const sockets = new Set<Socket>()
  const server = createServer((inside) => {
    const outside = connect(to.port, to.host)
    for (const socket of [inside, outside]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    pipeline(inside, outside, inside).catch(() => outside.destroy())
  })
  await listenOn(server, port, 'forwarded')
  return () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

/** A port that another program of the host has would be mistaken for the process's. */
async function assertFree(port: number): Promise<void> {
  const server = createServer()
  await listenOn(server, port, 'offered')
  server.close()
  await once(server, 'close')
}

async function listenOn(server: Server, port: number, purpose: string): Promise<void> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw taken(port, `cannot be ${purpose}: ${(error as Error).message}`)
  }
}
