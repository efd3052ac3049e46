import { connectionClosedError, type WebSocketMessage, type WebSocketMessages } from '@agent-service/sdk/contracts/websocket-route'
import type { WebSocket } from 'ws'
import type { Ending } from './close-code.js'

/** The messages that are being sent to the client. */
export interface OutboundMessages {
  send(message: WebSocketMessage): Promise<void>
  /** Stops the timer that runs while data is unsent. */
  stop(): void
}

/**
 * Passes messages to the socket and counts the unsent bytes. `slow` is called if a further message
 * would make them exceed `maxOutstandingBytes`, or if none of them is sent for `maxStalledMs`.
 */
export function createOutboundMessages(
  socket: WebSocket,
  options: {
    readonly messages: WebSocketMessages
    readonly maxOutstandingBytes: number
    readonly maxStalledMs: number
    readonly ending: () => Ending | undefined
    readonly sent: (bytes: number) => void
    readonly slow: () => void
  },
): OutboundMessages {
  let outstanding = 0
  let stalled: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(stalled)
    stalled = undefined
  }
  const watch = (): void => {
    stop()
    if (outstanding === 0) return
    stalled = setTimeout(options.slow, options.maxStalledMs)
    stalled.unref()
  }
  const closed = (): Error => {
    const { code, reason } = options.ending() ?? { code: 1006, reason: '' }
    return connectionClosedError.create({ code, reason })
  }
  return {
    stop,
    async send(message) {
      const data = dataOf(message, options.messages)
      const size = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
      if (options.ending() || socket.readyState !== socket.OPEN) throw closed()
      if (outstanding > 0 && outstanding + size > options.maxOutstandingBytes) {
        options.slow()
        throw closed()
      }
      const first = outstanding === 0
      outstanding += size
      if (first) watch()
      await new Promise<void>((resolve, reject) => {
        socket.send(data, { binary: message.kind === 'binary' }, (error) => {
          outstanding -= size
          watch()
          if (error) return reject(closed())
          options.sent(size)
          return resolve()
        })
      })
    },
  }
}

function dataOf(message: WebSocketMessage, { kind }: WebSocketMessages): string | Uint8Array {
  const wanted = kind === 'json' ? 'json' : 'text or binary'
  if ((kind === 'json') !== (message.kind === 'json'))
    throw new TypeError(`This route sends messages of kind ${wanted}, not “${String(message.kind)}”.`)
  switch (message.kind) {
    case 'json':
      return jsonText(message.json)
    case 'text':
      return message.text
    case 'binary':
      return message.bytes
  }
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new TypeError('The message cannot be written as JSON; expected { kind: "json", json: … }.')
  return text
}
