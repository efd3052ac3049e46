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
  readonly size: number
  /** The bytes in order, in blocks that own their memory. */
  readonly blocks: readonly Uint8Array<ArrayBuffer>[]
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
  const { httpVersion, headers } = exchange.request
  // A client of HTTP/1.0 would take the interim response for the final one (RFC 9110, 10.1.1).
  if (httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue') exchange.response.writeContinue()
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
      resolve({ size, blocks: bytes.blocks(), release })
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

/** Small enough to be allocated at once, large enough that a body has few. */
const blockBytes = 256 * 1024

/**
 * Collects the received bytes in blocks: one buffer for all of a large body would have to be cleared
 * at once, which blocks the event loop for as long as tens of small requests take.
 */
function createCollectedBytes(announced: number): { add(chunk: Uint8Array): void; blocks(): readonly Uint8Array<ArrayBuffer>[] } {
  const full: Uint8Array<ArrayBuffer>[] = []
  let block = new Uint8Array(Math.min(announced, blockBytes))
  let used = 0
  return {
    add(chunk) {
      for (let from = 0; from < chunk.byteLength; ) {
        if (used === block.byteLength) {
          if (used > 0) full.push(block)
          block = new Uint8Array(blockBytes)
          used = 0
        }
        const piece = chunk.subarray(from, from + block.byteLength - used)
        block.set(piece, used)
        used += piece.byteLength
        from += piece.byteLength
      }
    },
    blocks: () => (used > 0 ? [...full, block.subarray(0, used)] : full),
  }
}

/** The bytes of blocks in one array; those of a single block itself. */
export function joinBlocks(blocks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array {
  const [only] = blocks
  return only && blocks.length === 1 ? only : Buffer.concat(blocks)
}
