import { Readable } from 'node:stream'
import type { WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'

/** When this many messages wait for the handler, the socket is not read any further. */
const maxWaiting = 16

/** Messages on their way to the handler. */
export interface InboundMessages {
  /** To be iterated once; ends after {@link end}, with what waited before it. */
  readonly messages: AsyncIterable<WebSocketMessage>
  push(message: WebSocketMessage): void
  end(): void
}

/**
 * Makes a queue that asks the socket to pause while messages wait, and to go on when the handler has taken them. A handler that stops
 * reading for good is given nothing more, and the socket is read on.
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
