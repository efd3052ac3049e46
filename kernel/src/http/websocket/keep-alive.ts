import type { WebSocket } from 'ws'

/**
 * Pings every `pingMs`, which also keeps proxies from closing the connection, and calls `lost` when not one byte came since the last ping: the answer may stand
 * behind a large message. While the socket is paused, for a handler that reads slowly, nothing can come, and nothing is missed. The result stops it.
 */
export function keepAlive(
  socket: WebSocket,
  options: { readonly pingMs: number; readonly bytesRead: () => number; readonly lost: () => void },
): () => void {
  let before = -1
  const timer = setInterval(() => {
    const now = options.bytesRead()
    if (now === before && !socket.isPaused) return options.lost()
    before = now
    if (socket.readyState === socket.OPEN) socket.ping()
  }, options.pingMs)
  timer.unref()
  return () => clearInterval(timer)
}
