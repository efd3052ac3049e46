import type { Socket } from 'node:net'

/** How long the client of a new connection may take to say what it wants, in milliseconds. */
export const headLimitMs = 10_000

/**
 * Ends connections whose client takes too long to say what it wants. It counts the whole time, not
 * that between two bytes: a client that sends a byte now and then would keep its connection for ever.
 */
export interface HeadDeadline {
  /** The client has to say what it wants from now on. */
  begin(socket: Socket): void
  /** It has. */
  met(socket: Socket): void
}

export function createHeadDeadline(limitMs = headLimitMs): HeadDeadline {
  const timers = new Map<Socket, NodeJS.Timeout>()
  const met = (socket: Socket): void => {
    clearTimeout(timers.get(socket))
    timers.delete(socket)
  }
  return {
    met,
    begin(socket) {
      met(socket)
      if (socket.destroyed) return
      const end = (): void => {
        timers.delete(socket)
        socket.destroy()
      }
      // A connection that ends before keeps its timer: no listener for each of its requests.
      timers.set(socket, setTimeout(end, limitMs).unref())
    },
  }
}
