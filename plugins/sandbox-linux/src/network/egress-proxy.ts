import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type Judgement, openDestination, type Permitted } from './destinations.js'
import { createHttpProxy, type HttpProxy, type Reach } from './http-proxy.js'
import { acceptSocks, answerSocks } from './socks.js'

const connectLimitMs = 30_000
const greetingLimitMs = 10_000
/** Connections of one process at a time; each takes two descriptors of the service. */
export const maxProxyConnections = 256

/** The proxy of one process: HTTP with CONNECT, and SOCKS 5, on the same port. */
export interface EgressProxy {
  /** Takes a connection from inside. */
  take(socket: Socket): void
  close(): void
}

/** What the proxy is given beside the policy. */
export interface EgressOptions extends Judgement {
  /** Reports a refused destination. */
  readonly refused?: (host: string, port: number, reason: string) => void
}

export function createEgressProxy(permitted: Permitted, options: EgressOptions = {}): EgressProxy {
  const inside = new Set<Socket>()
  const outside = new Set<Socket>()
  /** Requests of HTTP that are in one connection are judged at once. */
  let judged = 0
  const reach: Reach = async (host, port, signal) => {
    if (judged + outside.size >= maxProxyConnections) return 'too many connections at a time'
    judged += 1
    try {
      return await reachOne(host, port, signal)
    } finally {
      judged -= 1
    }
  }
  const reachOne: Reach = async (host, port, signal) => {
    const found = await openDestination(permitted, host, port, options, signal)
    if ('closed' in found) {
      options.refused?.(host, port, found.closed)
      return found.closed
    }
    return signal.aborted ? 'the connection ended' : connectTo(found, port, signal).then((socket) => keep(outside, socket), notReachable)
  }
  const server = createHttpProxy(reach)
  return {
    take(socket) {
      if (inside.size >= maxProxyConnections) return void socket.destroy()
      keep(inside, socket).setTimeout(greetingLimitMs, () => socket.destroy())
      void route(socket, server, reach)
    },
    close() {
      server.close()
      for (const socket of [...inside, ...outside]) socket.destroy()
    },
  }
}

const notReachable = (): string => 'not reachable'

function keep(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket)
  return socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
}

/** To the addresses that were checked, one after the other, and to no other. */
async function connectTo(
  { host, addresses }: { readonly host: string; readonly addresses: readonly string[] },
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const socket = connect({ host, port, autoSelectFamily: true, lookup: (_, __, answer) => answer(null, pinned) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(connectLimitMs)]) })
    return socket
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw error
  }
}

/** The first byte tells the protocols apart: 5 is the version of SOCKS. */
async function route(socket: Socket, server: HttpProxy, reach: Reach): Promise<void> {
  try {
    await once(socket, 'readable')
    const first = socket.read(1) as Buffer | null
    if (first === null) return void socket.destroy()
    socket.unshift(first)
    if (first[0] === 5) await serveSocks(socket, reach)
    else server.take(socket.setTimeout(0))
  } catch {
    socket.destroy()
  }
}

async function serveSocks(socket: Socket, reach: Reach): Promise<void> {
  const { host, port } = await acceptSocks(socket)
  socket.setTimeout(0)
  const ended = new AbortController()
  socket.once('close', () => ended.abort())
  const onward = await reach(host, port, ended.signal)
  answerSocks(socket, typeof onward !== 'string')
  if (typeof onward === 'string') socket.end()
  else await pipeline(socket, onward, socket)
}
