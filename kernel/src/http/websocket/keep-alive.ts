import type { WebSocket } from 'ws'

/**
 * Pings every `pingMs`, which also keeps proxies from closing the connection, and calls `lost` when the last ping was not answered by then. While the
 * socket is paused, for a handler that reads slowly, answers cannot come, and none is missed. The result stops it.
 */
export function keepAlive(socket: WebSocket, pingMs: number, lost: () => void): () => void {
  let answered = true
  const heard = (): void => {
    answered = true
  }
  for (const event of ['pong', 'ping', 'message'] as const) socket.on(event, heard)
  const timer = setInterval(() => {
    if (!answered && !socket.isPaused) return lost()
    answered = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, pingMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const event of ['pong', 'ping', 'message'] as const) socket.off(event, heard)
  }
}
