import { Readable } from 'node:stream'
import type { WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'

/** When this many messages wait for the handler, the socket is paused. */
const maxWaiting = 16

/** The messages that wait for the handler. */
export interface InboundMessages {
  /** Can be iterated once. Ends after {@link end}, when all waiting messages are read. */
  readonly messages: AsyncIterable<WebSocketMessage>
  push(message: WebSocketMessage): void
  end(): void
}

/**
 * Makes a queue that pauses the socket while it is full and resumes it when the handler has read
 * the messages. If the handler stops the iteration, further messages are discarded.
 */
export function createInboundMessages(socket: { pause(): void; resume(): void }): InboundMessages {
  const messages = new Readable({ objectMode: true, highWaterMark: maxWaiting, read: () => socket.resume() })
  messages.once('close', () => socket.resume())
  return {
    messages,
    push(message) {
      if (!messages.destroyed && !messages.push(message)) socket.pause()
    },
    end: () => void messages.push(null),
  }
}
