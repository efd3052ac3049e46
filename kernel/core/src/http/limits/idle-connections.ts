import type { Socket } from 'node:net'
import { networkOf } from '@agent-service/sdk/services/quotas'
import type { HttpLimits } from '../http-options.js'
import type { Client } from '../request/client-address.js'

export type IdleConnections = ReturnType<typeof createIdleConnections>

/**
 * The connections that wait for their next request. Beyond a number for each network, and beyond a total, the one that
 * has waited longest is closed. So connections may wait for a long time without one client taking all that the service
 * accepts. Behind a trusted proxy a connection counts for the client whose request came last.
 */
export function createIdleConnections({
  maxIdleOfNetwork,
  maxIdleConnections,
}: Pick<HttpLimits, 'maxIdleOfNetwork' | 'maxIdleConnections'>) {
  /** The waiting ones with their holders, longest waiting first. */
  const waiting = new Map<Socket, string>()
  const ofHolder = new Map<string, Set<Socket>>()
  /** How many requests of a connection are not answered. */
  const open = new WeakMap<Socket, number>()
  let closing = false

  const leave = (socket: Socket): void => {
    const holder = waiting.get(socket)
    if (holder === undefined) return
    waiting.delete(socket)
    const others = ofHolder.get(holder)
    others?.delete(socket)
    if (others?.size === 0) ofHolder.delete(holder)
  }
  const end = (socket: Socket): void => {
    leave(socket)
    socket.destroySoon()
  }
  const enter = (socket: Socket, holder: string): void => {
    const own = ofHolder.get(holder) ?? new Set<Socket>()
    ofHolder.set(holder, own.add(socket))
    waiting.set(socket, holder)
    if (own.size > maxIdleOfNetwork) endFirst(own)
    if (waiting.size > maxIdleConnections) endFirst(waiting.keys())
  }
  const endFirst = (sockets: Iterable<Socket>): void => {
    const [first] = sockets
    if (first) end(first)
  }

  return {
    /** A request has come. */
    begin(socket: Socket): void {
      const before = open.get(socket)
      if (before === undefined) socket.once('close', () => leave(socket))
      open.set(socket, (before ?? 0) + 1)
      leave(socket)
    },
    /** A request of the client has been answered. */
    rest(socket: Socket, { address, program }: Pick<Client, 'address' | 'program'>): void {
      const left = (open.get(socket) ?? 1) - 1
      open.set(socket, left)
      if (left > 0 || socket.destroyed) return
      if (closing) socket.destroySoon()
      else enter(socket, program ? 'programs' : networkOf(address))
    },
    /** Ends what waits, and from now on every connection once its requests are answered. */
    close(): void {
      closing = true
      for (const socket of waiting.keys()) end(socket)
    },
  }
}
