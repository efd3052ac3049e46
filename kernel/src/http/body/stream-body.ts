import { bodyTooLargeError, requestTimeoutError } from '../errors.js'
import { ClientGoneError, type Exchange } from '../request/exchange.js'
import { type BodyLimit, checkAnnouncedLength, letBodyCome } from './collect-body.js'

/**
 * A body as a stream of bytes, which arrives as fast as it is read. The iteration fails with `body_too_large`, `request_timeout` when nothing
 * comes for `idleMs`, or when the client goes before the end; it never ends early as if it were complete.
 */
export function streamBody(exchange: Exchange, options: { readonly limit: BodyLimit; readonly idleMs: number }): AsyncIterable<Uint8Array> {
  checkAnnouncedLength(exchange, options.limit)
  return { [Symbol.asyncIterator]: () => iterate(exchange, options) }
}

async function* iterate(exchange: Exchange, options: { readonly limit: BodyLimit; readonly idleMs: number }): AsyncGenerator<Uint8Array> {
  const { request } = exchange
  const { limit, idleMs } = options
  letBodyCome(exchange)
  const source = request.iterator({ destroyOnReturn: false })
  let size = 0
  try {
    for (;;) {
      const result = (await withinIdle(source.next(), idleMs)) as IteratorResult<Uint8Array>
      if (result.done) break
      size += result.value.byteLength
      if (size > limit.bytes) throw bodyTooLargeError.create({ limit: limit.bytes, name: limit.name })
      yield result.value
    }
  } finally {
    // Not waited for: after a timeout it stands behind the read that never came.
    source.return?.()?.catch(() => undefined)
  }
  if (!request.complete) throw new ClientGoneError('The request ended before its body was complete.')
}

async function withinIdle<Value>(promise: Promise<Value>, idleMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(requestTimeoutError.create({ seconds: Math.ceil(idleMs / 1000) })), idleMs)
        timer.unref()
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
