import type { Hash } from 'node:crypto'
import type { Hold } from '@agent-service/sdk/services/quotas'
import { bodyTooLargeError, requestTimeoutError } from '../errors.js'
import { ClientDisconnectedError, type Exchange } from '../request/exchange.js'

/** A limit with its name for error messages. */
export interface BodyLimit {
  readonly maxBytes: number
  readonly name: string
}

/**
 * A body that was received completely. Its bytes count against the holder's share until `release`
 * is called.
 */
export interface CollectedBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  release(): void
}

/** The announced length, or 0. @throws `body_too_large` if it exceeds the limit. */
export function checkAnnouncedLength(exchange: Exchange, limit: BodyLimit): number {
  const announced = Number(exchange.request.headers['content-length'] ?? 0)
  if (announced > limit.maxBytes) throw bodyTooLargeError.create({ limit: limit.maxBytes, name: limit.name })
  return announced
}

/** Answers `Expect: 100-continue`: the client waits for it before it sends the body. */
export function sendContinue(exchange: Exchange): void {
  if (exchange.request.headers.expect?.toLowerCase() === '100-continue') exchange.response.writeContinue()
}

/**
 * Reads a whole body into memory. {@link sendContinue} has to be called before.
 *
 * @throws `body_too_large`; `request_timeout` if it stops arriving; `limit_reached` or `overloaded`
 * if
 * its holder or the service already holds too much; {@link ClientDisconnectedError} if the client
 * disconnects.
 */
export function collectBody(
  exchange: Exchange,
  options: {
    readonly limit: BodyLimit
    /**
     * The hold of the limit of bodies: grows with the received bytes, and is released with them.
     */
    readonly share: Hold
    readonly maxIdleMs: number
    /** How long the body may take in all, while it arrives without a pause of `maxIdleMs`. */
    readonly maxMs: number
    /** Gets the received bytes. */
    readonly hash: Hash | undefined
  },
): Promise<CollectedBody> {
  const { request, controller } = exchange
  const { limit, share, maxIdleMs, maxMs, hash } = options
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const bytes = createCollectedBytes(Number(request.headers['content-length'] ?? 0))
    let size = 0
    const release = () => share.release()
    const settle = () => {
      clearTimeout(idle)
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      controller.signal.removeEventListener('abort', onGone)
    }
    const fail = (error: Error) => {
      settle()
      release()
      request.pause()
      reject(error)
    }
    const onData = (chunk: Uint8Array) => {
      idle.refresh()
      if (performance.now() - startedAt > maxMs) return fail(tooSlow(maxMs))
      if (size + chunk.byteLength > limit.maxBytes) return fail(bodyTooLargeError.create({ limit: limit.maxBytes, name: limit.name }))
      try {
        share.resize(size + chunk.byteLength)
      } catch (error) {
        return fail(error as Error)
      }
      size += chunk.byteLength
      bytes.add(chunk)
      hash?.update(chunk)
      return undefined
    }
    const onEnd = () => {
      settle()
      if (!request.complete) {
        release()
        reject(new ClientDisconnectedError('The request ended before its body was complete.'))
        return
      }
      resolve({ bytes: bytes.all(), release })
    }
    const onGone = () => fail(new ClientDisconnectedError('The client disconnected while it sent the body.'))
    const idle = setTimeout(() => fail(tooSlow(maxIdleMs)), maxIdleMs)
    idle.unref()
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
    controller.signal.addEventListener('abort', onGone, { once: true })
    if (controller.signal.aborted) onGone()
  })
}

const tooSlow = (limitMs: number): Error => requestTimeoutError.create({ seconds: Math.ceil(limitMs / 1000) })

/**
 * Collects the received bytes: directly in one buffer if their number was announced, so that they
 * are never in memory twice.
 */
function createCollectedBytes(announced: number): { add(chunk: Uint8Array): void; all(): Uint8Array<ArrayBuffer> } {
  // The system provides memory only for pages that are written to.
  const whole = new Uint8Array(announced)
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    add(chunk) {
      // A chunk is a view of a larger buffer of the socket.
      if (announced > 0) whole.set(chunk, size)
      else chunks.push(new Uint8Array(chunk))
      size += chunk.byteLength
    },
    all: () => (announced > 0 ? whole : new Uint8Array(Buffer.concat(chunks.splice(0)))),
  }
}
