import { createLimiter } from '../async/index.js'
import type { JsonValue } from '../core/json.js'
import { messageInvalidError } from './errors.js'
import { type Framing, lineFraming } from './framing.js'

/**
 * Two streams of bytes that a protocol can be spoken over: those of a {@link Child}, or of a
 * process that something else confines and starts.
 */
export interface ByteChannel {
  /** What comes. Read once. */
  readonly output: AsyncIterable<Uint8Array>
  /** Resolves once the bytes are taken. */
  write(bytes: Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<void>
}

/** Messages of JSON over two streams. */
export interface MessageChannel {
  /**
   * Incoming messages, in order; iterated once. The other side waits while nothing reads. @throws
   * `process_message_invalid`, `process_message_too_large`.
   */
  readonly messages: AsyncIterable<JsonValue>
  /**
   * Sends a message after those before it. @throws `process_gone`, `process_message_too_large`,
   * `too_many_waiting`, or the signal's reason.
   */
  send(message: JsonValue, options?: { readonly signal?: AbortSignal }): Promise<void>
}

/** Options of {@link createMessageChannel}. */
export interface MessageChannelOptions {
  /** Default: one message a line of at most 4 MiB. */
  readonly framing?: Framing
  /** Messages that wait to be written. Default 256. */
  readonly maxQueuedMessages?: number
}

/**
 * Speaks JSON over two streams. A message that begins to be written is written whole, even when its
 * signal is aborted meanwhile.
 */
export function createMessageChannel(bytes: ByteChannel, options: MessageChannelOptions = {}): MessageChannel {
  const { framing = lineFraming({ maxMessageBytes: 4 * 1024 * 1024 }), maxQueuedMessages = 256 } = options
  const turn = createLimiter({ maxConcurrent: 1, maxWaiting: maxQueuedMessages })
  return {
    messages: readMessages(framing.decode(bytes.output)),
    async send(message, { signal } = {}) {
      const encoded = framing.encode(new TextEncoder().encode(JSON.stringify(message)))
      const release = await turn.acquire(signal && { signal })
      await bytes.write(encoded).finally(release)
    },
  }
}

async function* readMessages(source: AsyncIterable<Uint8Array>): AsyncGenerator<JsonValue> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of source) {
    let message: JsonValue
    try {
      message = JSON.parse(decoder.decode(bytes)) as JsonValue
    } catch (error) {
      throw messageInvalidError.create({ reason: 'a message is not JSON.' }, { cause: error })
    }
    yield message
  }
}
