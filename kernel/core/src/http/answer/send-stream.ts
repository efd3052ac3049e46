import type { Writable } from 'node:stream'
import { abortable } from '@agent-service/sdk/async'
import { ClientDisconnectedError, type Exchange } from '../request/exchange.js'

/**
 * Waits until the client reads more. @throws {@link ClientDisconnectedError} if it disconnected or
 * reads nothing for `maxStalledMs`.
 */
export function waitForDrain(writable: Writable, options: { readonly maxStalledMs: number; readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      writable.off('drain', drained)
      writable.off('close', gone)
      options.signal.removeEventListener('abort', gone)
      outcome()
    }
    const drained = () => settle(resolve)
    const gone = () => settle(() => reject(new ClientDisconnectedError('The client disconnected.')))
    const timer = setTimeout(() => settle(() => reject(new ClientDisconnectedError('The client stopped reading.'))), options.maxStalledMs)
    timer.unref()
    writable.once('drain', drained)
    writable.once('close', gone)
    options.signal.addEventListener('abort', gone, { once: true })
    if (writable.destroyed || options.signal.aborted) gone()
  })
}

/**
 * Sends a stream of bytes as the client reads it. If the stream fails in the middle, or does not
 * have the announced length, the connection is broken, so that the client never mistakes a part for
 * the whole. The iteration is always ended with `return()`.
 */
export async function sendStream(
  exchange: Exchange,
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Absent if it is among the headers, or not known. */
    readonly contentType?: string | undefined
    readonly stream: AsyncIterable<Uint8Array>
    /** The number of bytes, if known. */
    readonly length?: number
  },
  maxStalledMs: number,
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
        const result = await whileConnected(iterator.next(), controller.signal)
        if (result.done) break
        left.take(result.value.byteLength)
        if (!response.write(result.value)) await waitForDrain(response, { maxStalledMs, signal: controller.signal })
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

/** Checks that a stream has the announced length. @throws a `RangeError` with both lengths. */
function createByteCount(length: number | undefined): { take(bytes: number): void; end(): void } {
  let sent = 0
  const refuse = (): never => {
    throw new RangeError(`The stream has ${sent} bytes; ${String(length)} were announced.`)
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

/**
 * The promise, or {@link ClientDisconnectedError} as soon as the signal is aborted, so that an
 * iterator that hangs does not keep the exchange open.
 */
export function whileConnected<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return abortable(promise, signal).catch((error: unknown) => {
    throw signal.aborted ? new ClientDisconnectedError('The response was aborted.', { cause: signal.reason }) : error
  })
}

/**
 * Ends an iteration without waiting, since an iterator that hangs has its signal. Errors of the end
 * are ignored.
 */
export function endIteration(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => undefined)
}
