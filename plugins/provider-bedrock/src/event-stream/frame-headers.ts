/** The value of a frame header, by its wire type. */
export type FrameHeaderValue =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'byte' | 'short' | 'integer'; readonly value: number }
  | { readonly type: 'long'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'string'; readonly value: string }
  /** In milliseconds since 1970. */
  | { readonly type: 'timestamp'; readonly value: bigint }
  /** In its usual spelling, lower case with hyphens. */
  | { readonly type: 'uuid'; readonly value: string }

/** The headers of a frame, by name. */
export type FrameHeaders = ReadonlyMap<string, FrameHeaderValue>

/**
 * Reads the headers of a frame. @throws RangeError if they end inside a header, and for an unknown
 * type.
 */
export function readFrameHeaders(bytes: Uint8Array): FrameHeaders {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headers = new Map<string, FrameHeaderValue>()
  let position = 0
  const take = (length: number): number => {
    const start = position
    position += length
    if (position > bytes.byteLength) throw new RangeError('the headers end in the middle of one')
    return start
  }
  const takeBytes = (length: number): Uint8Array => {
    const start = take(length)
    return bytes.subarray(start, start + length)
  }
  const takeValue = (type: number): FrameHeaderValue => {
    switch (type) {
      case 0:
      case 1:
        return { type: 'boolean', value: type === 0 }
      case 2:
        return { type: 'byte', value: view.getInt8(take(1)) }
      case 3:
        return { type: 'short', value: view.getInt16(take(2)) }
      case 4:
        return { type: 'integer', value: view.getInt32(take(4)) }
      case 5:
        return { type: 'long', value: view.getBigInt64(take(8)) }
      case 6:
        return { type: 'bytes', value: takeBytes(view.getUint16(take(2))) }
      case 7:
        return { type: 'string', value: textOf(takeBytes(view.getUint16(take(2)))) }
      case 8:
        return { type: 'timestamp', value: view.getBigInt64(take(8)) }
      case 9:
        return { type: 'uuid', value: uuidOf(takeBytes(16)) }
      default:
        throw new RangeError(`a header has the unknown type ${type}`)
    }
  }
  while (position < bytes.byteLength) {
    const name = textOf(takeBytes(view.getUint8(take(1))))
    headers.set(name, takeValue(view.getUint8(take(1))))
  }
  return headers
}

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

const uuidOf = (bytes: Uint8Array): string => {
  const digits = Buffer.from(bytes).toString('hex')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')
}
