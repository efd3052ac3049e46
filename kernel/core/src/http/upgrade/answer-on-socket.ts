import type { Socket } from 'node:net'
import type { Exchange, Transport } from '../request/exchange.js'

/** How long a client may take to end a connection whose upgrade was refused. */
const lingerMs = 2_000

/**
 * Answers a refused handshake like an ordinary request, and closes the connection. `write` ends the
 * response. Resolves when the response is written or the client has disconnected; rejects with the
 * error of `write`. May be called again until the response has begun.
 */
export async function answerOnSocket({ response }: Exchange, { socket }: Transport, write: () => void | Promise<void>): Promise<void> {
  if (socket.destroyed) return
  const over = new Promise<void>((resolve) => {
    socket.once('close', resolve)
    response.once('finish', resolve)
  })
  if (!response.socket) attach(response, socket as Socket)
  await write()
  await over
}

function attach(response: Exchange['response'], socket: Socket): void {
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.end()
    // Discards further input of the client, so that its end is noticed.
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  })
  response.assignSocket(socket)
  response.shouldKeepAlive = false
  response.setHeader('connection', 'close')
}
