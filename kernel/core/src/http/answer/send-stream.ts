import type { Writable } from 'node:stream'
import { abortable } from '@agent-service/sdk/async'
import { ClientGoneError, type Exchange } from '../request/exchange.js'

/** Waits until the client takes more. @throws {@link ClientGoneError} when it is gone or reads nothing for `stalledMs`. */
export function waitForDrain(writable: Writable, options: { readonly stalledMs: number; readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      writable.off('drain', drained)
      writable.off('close', gone)
      options.signal.removeEventListener('abort', gone)
      outcome()
    }
    const drained = () => settle(resolve)
    const gone = () => settle(() => reject(new ClientGoneError('The client went away.')))
    const timer = setTimeout(() => settle(() => reject(new ClientGoneError('The client stopped reading.'))), options.stalledMs)
    timer.unref()
    writable.once('drain', drained)
    writable.once('close', gone)
    options.signal.addEventListener('abort', gone, { once: true })
    if (writable.destroyed || options.signal.aborted) gone()
  })
}

/**
 * Sends a stream of bytes as the client reads it. A stream that fails in the middle, or gives another number of bytes than was said, breaks the
 * connection, so that nobody takes a part for the whole. The iteration is ended by `return()` whatever happens.
 */
export async function sendStream(
  exchange: Exchange,
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Absent where it is among the headers, or not known. */
    readonly contentType?: string | undefined
    readonly stream: AsyncIterable<Uint8Array>
    /** How many bytes come, where it is known. */
    readonly length?: number
  },
  stalledMs: number,
): Promise<void> {
  const { response, controller } = exchange
  response.statusCode = answer.status
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  if (answer.contentType !== undefined) response.setHeader('content-type', answer.contentType)
  if (answer.length !== undefined) response.setHeader('content-length', answer.length)
  const left = createByteCount(answer.length)
  const iterator = answer.stream[Symbol.asyncIterator]()
  try {
    if (exchange.method !== 'HEAD') {
      for (;;) {
        const result = await orGone(iterator.next(), controller.signal)
        if (result.done) break
        left.take(result.value.byteLength)
        if (!response.write(result.value)) await waitForDrain(response, { stalledMs, signal: controller.signal })
      }
      left.end()
    }
    response.end()
  } catch (error) {
    controller.abort(error)
    if (response.headersSent) response.destroy()
    throw error
  } finally {
    endIteration(iterator)
  }
}

/** Holds a stream to the length that was said. @throws an error that says what came instead. */
function createByteCount(length: number | undefined): { take(bytes: number): void; end(): void } {
  let sent = 0
  const refuse = (): never => {
    throw new RangeError(`The stream gave ${sent} bytes where ${String(length)} were announced.`)
  }
  return {
    take(bytes) {
      sent += bytes
      if (length !== undefined && sent > length) refuse()
    },
    end() {
      if (length !== undefined && sent !== length) refuse()
    },
  }
}

/** The promise, or {@link ClientGoneError} as soon as the signal is aborted: an iterator that hangs does not hold the exchange. */
export function orGone<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return abortable(promise, signal).catch((error: unknown) => {
    throw signal.aborted ? new ClientGoneError('The answer was given up.', { cause: signal.reason }) : error
  })
}

/** Ends an iteration without waiting: the signal has told whoever hangs. Errors of the ending belong to nobody. */
export function endIteration(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => undefined)
}
