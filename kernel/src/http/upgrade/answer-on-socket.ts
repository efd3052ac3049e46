import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../request/exchange.js'

/** How long a client may take to end a connection whose upgrade was refused. */
const lingerMs = 2_000

/**
 * Answers a handshake that was not accepted like an ordinary request, and closes the connection. `write` ends the response. Resolves when the answer is
 * written or the client is gone; rejects with what `write` threw.
 */
export async function answerOnSocket(
  exchange: Exchange,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
  write: () => void | Promise<void>,
): Promise<void> {
  if (socket.destroyed) return
  const { response } = exchange
  const over = new Promise<void>((resolve) => {
    socket.once('close', resolve)
    response.once('finish', () => {
      response.detachSocket(socket as Socket)
      socket.end()
      // What the client still sends is read away, so that its end is seen.
      socket.resume()
      const timer = setTimeout(() => socket.destroy(), lingerMs)
      timer.unref()
      socket.once('close', () => clearTimeout(timer))
      resolve()
    })
  })
  response.assignSocket(socket as Socket)
  response.shouldKeepAlive = false
  response.setHeader('connection', 'close')
  response.setHeader('x-request-id', exchange.requestId)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  await write()
  await over
}
