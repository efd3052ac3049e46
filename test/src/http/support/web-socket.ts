import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A client's side of a WebSocket. */
export interface Connection {
  readonly socket: WebSocket
  /** Sends a text and gives the next message that comes. */
  ask(text: string): Promise<string>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/**
 * Connects, as a browser or a program does. @throws an `Error` with the status and the problem when
 * it is refused.
 */
export async function connect(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Connection> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers: { ...headers } })
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', reject)
    socket.once('unexpected-response', async (_request, response) => {
      let text = ''
      for await (const chunk of response) text += String(chunk)
      reject(new Error(`${response.statusCode} ${text}`))
    })
  })
  return {
    socket,
    closed,
    async ask(text) {
      const answer = once(socket, 'message')
      socket.send(text)
      return String((await answer)[0])
    },
  }
}
