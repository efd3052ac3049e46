import type { WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'

/** When this many messages wait for the handler, the socket is not read any further. */
const maxWaiting = 16

/** Messages on their way to the handler. */
export interface InboundQueue {
  /** To be iterated once; ends after {@link end}, with what waited before it. */
  readonly messages: AsyncIterable<WebSocketMessage>
  push(message: WebSocketMessage): void
  end(): void
}

/**
 * Makes a queue that asks the socket to pause while messages wait, and to go on when the handler has taken them. A handler that stops reading for good is
 * given nothing more, and the socket is read on.
 */
export function createInboundQueue(socket: { pause(): void; resume(): void }): InboundQueue {
  const waiting: WebSocketMessage[] = []
  const readers: ((result: IteratorResult<WebSocketMessage, undefined>) => void)[] = []
  let ended = false
  let paused = false
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined }

  const resume = (): void => {
    if (!paused || waiting.length > 0) return
    paused = false
    socket.resume()
  }
  const end = (): void => {
    ended = true
    for (const reader of readers.splice(0)) reader(done)
  }
  const iterator: AsyncIterator<WebSocketMessage, undefined> = {
    next() {
      const message = waiting.shift()
      if (message !== undefined) {
        resume()
        return Promise.resolve({ done: false, value: message })
      }
      if (ended) return Promise.resolve(done)
      return new Promise((resolve) => readers.push(resolve))
    },
    return() {
      waiting.length = 0
      end()
      resume()
      return Promise.resolve(done)
    },
  }

  return {
    messages: { [Symbol.asyncIterator]: () => iterator },
    push(message) {
      if (ended) return
      const reader = readers.shift()
      if (reader) {
        reader({ done: false, value: message })
        return
      }
      waiting.push(message)
      if (waiting.length < maxWaiting || paused) return
      paused = true
      socket.pause()
    },
    end,
  }
}
