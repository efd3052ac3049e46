import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { signalWithin } from '../../async/index.js'
import { type TakePlace, unlimitedPlaces } from './connection-shares.js'
import { type Judgement, openDestination, type Permitted } from './destinations.js'
import { createHeadDeadline, type HeadDeadline } from './head-deadline.js'
import { createHttpProxy, type HttpProxy, type Reach } from './http-proxy.js'
import { acceptSocks, answerSocks } from './socks.js'

const connectLimitMs = 30_000
/** Connections of one process at a time; each takes two descriptors of the service. */
export const maxProxyConnections = 256

/**
 * A proxy that leads to permitted destinations alone: HTTP with CONNECT, and SOCKS 5, on the same
 * port. It listens nowhere itself.
 */
export interface EgressProxy {
  /** Takes a connection from inside. */
  take(socket: Socket): void
  /** Ends all connections. */
  close(): void
}

/** What the proxy is given beside what is permitted. */
export interface EgressOptions extends Judgement {
  /** Reports a refused destination. */
  readonly refused?: (host: string, port: number, reason: string) => void
  /** A place for each connection from inside and to outside. Default: there is always one. */
  readonly takePlace?: TakePlace
  /** How long a client may take to say what it wants, in milliseconds. Default 10,000. */
  readonly headLimitMs?: number
  /**
   * The value of `Proxy-Authorization` without which nothing is reached: others are answered with
   * 407, and SOCKS is closed. Default: none is asked for.
   */
  readonly authorization?: string
}

const tooMany = 'too many connections at a time'

/** Makes a proxy. `permitted` says what may be reached; addresses that are not public are never. */
export function createEgressProxy(permitted: Permitted, options: EgressOptions = {}): EgressProxy {
  const { takePlace = unlimitedPlaces } = options
  const deadline = createHeadDeadline(options.headLimitMs)
  const inside = new Set<Socket>()
  const outside = new Set<Socket>()
  /** Requests of HTTP that are in one connection are judged at once. */
  let judged = 0
  const reach: Reach = async (host, port, signal) => {
    if (judged + outside.size >= maxProxyConnections) return tooMany
    const leave = takePlace()
    if (leave === undefined) return tooMany
    judged += 1
    try {
      const reached = await reachOne(host, port, signal)
      if (typeof reached === 'string') leave()
      else keep(outside, reached, leave)
      return reached
    } catch (error) {
      leave()
      throw error
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
    return signal.aborted ? 'the connection ended' : connectTo(found, port, signal).catch(notReachable)
  }
  const server = createHttpProxy(reach, { deadline, authorization: options.authorization })
  return {
    take(socket) {
      const leave = inside.size < maxProxyConnections ? takePlace() : undefined
      if (leave === undefined) return void socket.destroy()
      keep(inside, socket, leave)
      deadline.begin(socket)
      void route(socket, server, options.authorization === undefined ? { reach, deadline } : undefined)
    },
    close() {
      server.close()
      for (const socket of [...inside, ...outside]) socket.destroy()
    },
  }
}

const notReachable = (): string => 'not reachable'

function keep(sockets: Set<Socket>, socket: Socket, leave: () => void): void {
  sockets.add(socket)
  const end = (): void => {
    sockets.delete(socket)
    leave()
  }
  socket.once('close', end).on('error', () => socket.destroy())
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
    await once(socket, 'connect', { signal: signalWithin(connectLimitMs, signal) })
    return socket
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw error
  }
}

/** What SOCKS is served with. */
interface Socks {
  readonly reach: Reach
  readonly deadline: HeadDeadline
}

/** The first byte tells the protocols apart: 5 is the version of SOCKS. */
async function route(socket: Socket, server: HttpProxy, socks: Socks | undefined): Promise<void> {
  try {
    await once(socket, 'readable')
    const first = socket.read(1) as Buffer | null
    if (first === null) return void socket.destroy()
    socket.unshift(first)
    if (first[0] !== 5) server.take(socket)
    else if (socks === undefined) socket.destroy()
    else await serveSocks(socket, socks)
  } catch {
    socket.destroy()
  }
}

async function serveSocks(socket: Socket, { reach, deadline }: Socks): Promise<void> {
  const { host, port } = await acceptSocks(socket)
  deadline.met(socket)
  const ended = new AbortController()
  socket.once('close', () => ended.abort())
  const onward = await reach(host, port, ended.signal)
  answerSocks(socket, typeof onward !== 'string')
  if (typeof onward === 'string') socket.end()
  else await pipeline(socket, onward, socket)
}
