import { withTimeLimit } from '@agent-service/sdk/async'
import { bodyTooLargeError, requestTimeoutError } from '../errors.js'
import { ClientDisconnectedError, type Exchange } from '../request/exchange.js'
import { type BodyLimit, checkAnnouncedLength, sendContinue } from './collect-body.js'

/** The limits of a streamed body. */
export interface StreamBodyOptions {
  readonly limit: BodyLimit
  /** How long the body may make no progress. */
  readonly maxIdleMs: number
  /**
   * How many bytes have to arrive in a second of waiting, once the waits add up to `maxIdleMs`.
   * Default: 0.
   */
  readonly minBytesPerSecond?: number
}

/**
 * A body as a stream of bytes, received as fast as it is read. The iteration fails with
 * `body_too_large`, with `request_timeout` if nothing arrives for `maxIdleMs` or the body is too slow,
 * or with {@link ClientDisconnectedError} if the client disconnects. An incomplete body never looks
 * complete. Only the time in which the reader waits for the client counts.
 */
export function streamBody(exchange: Exchange, options: StreamBodyOptions): AsyncIterable<Uint8Array> {
  checkAnnouncedLength(exchange, options.limit)
  return { [Symbol.asyncIterator]: () => iterate(exchange, options) }
}

async function* iterate(exchange: Exchange, options: StreamBodyOptions): AsyncGenerator<Uint8Array> {
  const { request, controller } = exchange
  const { limit, maxIdleMs, minBytesPerSecond = 0 } = options
  sendContinue(exchange)
  const source = request.iterator({ destroyOnReturn: false })
  let size = 0
  let waitedMs = 0
  try {
    for (;;) {
      const began = performance.now()
      const result = await withinIdle(() => source.next() as Promise<IteratorResult<Uint8Array>>, maxIdleMs, controller.signal)
      waitedMs += performance.now() - began
      if (result.done) break
      size += result.value.byteLength
      if (size > limit.maxBytes) throw bodyTooLargeError.create({ limit: limit.maxBytes, name: limit.name })
      if (size < (minBytesPerSecond * (waitedMs - maxIdleMs)) / 1000) throw timeoutAfter(waitedMs)
      yield result.value
    }
  } finally {
    // Not awaited: after a timeout, `return()` would wait for the read that timed out.
    source.return?.()?.catch(() => undefined)
  }
  if (!request.complete) throw new ClientDisconnectedError('The request ended before its body was complete.')
}

const timeoutAfter = (milliseconds: number): Error => requestTimeoutError.create({ seconds: Math.ceil(milliseconds / 1000) })

/** Waits for the next chunk, `maxIdleMs` at most. @throws as soon as the exchange ends. */
function withinIdle<Value>(next: () => Promise<Value>, maxIdleMs: number, signal: AbortSignal): Promise<Value> {
  return withTimeLimit(next, { limitMs: maxIdleMs, signal, timedOut: () => timeoutAfter(maxIdleMs) }).catch((error: unknown) => {
    throw signal.aborted ? new ClientDisconnectedError('The exchange ended while its body was read.', { cause: signal.reason }) : error
  })
}
