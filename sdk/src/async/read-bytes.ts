import { defineError } from '../core/errors.js'
import { untilAborted } from './until-aborted.js'

/** A stream is larger than its reader's limit. */
export const streamTooLargeError = defineError<{ readonly what: string; readonly maxBytes: number }>({
  code: 'stream_too_large',
  status: 413,
  title: 'Stream too large',
  message: ({ what, maxBytes }) => `${what} is larger than ${maxBytes} bytes. Request less, or raise the limit.`,
})

/** Options of {@link readBytes} and {@link readText}. */
export interface BoundedReadOptions {
  /** More than this is an error; exactly this is not. */
  readonly maxBytes: number
  /**
   * Ends the reading with its reason, and the source with it. Default: the reading ends with the
   * source.
   */
  readonly signal?: AbortSignal
  /** The subject of the error's message. Default: `The stream`. */
  readonly what?: string
  /** Makes the error. Default: {@link streamTooLargeError}. */
  readonly tooLarge?: () => Error
}

/** The result of {@link readAtMost}. */
export interface CutBytes {
  /** At most the requested number. */
  readonly bytes: Uint8Array
  /** Whether the stream has more, which was not read. */
  readonly cut: boolean
}

/**
 * Reads a stream to its end. At most one piece beyond `maxBytes` is held, and a source that is too
 * large is ended.
 */
export async function readBytes(source: AsyncIterable<Uint8Array>, options: BoundedReadOptions): Promise<Uint8Array> {
  const { maxBytes, what = 'The stream', tooLarge = () => streamTooLargeError.create({ what, maxBytes }) } = options
  const { bytes, cut } = await readAtMost(source, options)
  if (cut) throw tooLarge()
  return bytes
}

/**
 * The same as text. Bytes that are not UTF-8 become U+FFFD; a leading byte order mark is dropped.
 */
export async function readText(source: AsyncIterable<Uint8Array>, options: BoundedReadOptions): Promise<string> {
  return new TextDecoder().decode(await readBytes(source, options))
}

/**
 * Reads the beginning of a stream and ends the source if there is more. For previews and for the
 * bodies of errors.
 */
export async function readAtMost(
  source: AsyncIterable<Uint8Array>,
  options: Pick<BoundedReadOptions, 'maxBytes' | 'signal'>,
): Promise<CutBytes> {
  const { maxBytes, signal } = options
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of signal ? untilAborted(source, signal) : source) {
    const room = maxBytes - size
    if (piece.byteLength > room) {
      pieces.push(piece.subarray(0, room))
      return { bytes: joined(pieces, maxBytes), cut: true }
    }
    pieces.push(piece)
    size += piece.byteLength
  }
  return { bytes: joined(pieces, size), cut: false }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
