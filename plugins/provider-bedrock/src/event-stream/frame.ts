import { crc32 } from 'node:zlib'
import { type FrameHeaders, readFrameHeaders } from './frame-headers.js'

/** The length of the prelude: both lengths and their checksum. */
export const preludeLength = 12
/** The largest frame that is read, in bytes. */
export const frameSizeLimit = 16 * 1024 * 1024
/** Prelude and the checksum at the end. */
const minFrameSize = preludeLength + 4

/** One message of `application/vnd.amazon.eventstream`. */
export interface Frame {
  readonly headers: FrameHeaders
  readonly payload: Uint8Array
}

/**
 * The length of the frame that begins with these 12 bytes. @throws RangeError if they are damaged,
 * or the frame is too large.
 */
export function frameLength(prelude: Uint8Array): number {
  const view = new DataView(prelude.buffer, prelude.byteOffset, preludeLength)
  if (crc32(prelude.subarray(0, 8)) !== view.getUint32(8)) throw new RangeError('the checksum of its prelude is wrong')
  const total = view.getUint32(0)
  if (total > frameSizeLimit) throw new RangeError(`it declares ${total} bytes, more than ${frameSizeLimit}`)
  if (total < minFrameSize || view.getUint32(4) > total - minFrameSize) throw new RangeError('its lengths contradict each other')
  return total
}

/** Reads a whole frame. @throws RangeError if it is damaged. */
export function readFrame(bytes: Uint8Array): Frame {
  if (frameLength(bytes) !== bytes.byteLength) throw new RangeError('its length differs from the declared one')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.byteLength - 4
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end)) throw new RangeError('the checksum of the message is wrong')
  const payloadStart = preludeLength + view.getUint32(4)
  return { headers: readFrameHeaders(bytes.subarray(preludeLength, payloadStart)), payload: bytes.subarray(payloadStart, end) }
}
