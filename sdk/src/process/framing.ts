import { messageInvalidError, messageTooLargeError } from './errors.js'

/** The framing of messages in a stream of bytes. */
export interface Framing {
  /** A message as it is sent. @throws `process_message_too_large`. */
  encode(message: Uint8Array): Uint8Array
  /**
   * The messages in a stream of pieces. @throws `process_message_too_large`;
   * `process_message_invalid` for one that is cut by the end.
   */
  decode(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

const lineEnd = 0x0a

/**
 * One message a line, as MCP servers and many other programs have it. Empty lines say nothing; a
 * carriage return before the end is dropped.
 */
export function lineFraming({ maxMessageBytes }: { readonly maxMessageBytes: number }): Framing {
  return Object.freeze<Framing>({
    encode(message) {
      checkSize(message.byteLength, maxMessageBytes)
      if (message.includes(lineEnd)) throw messageInvalidError.create({ reason: 'a message of one line holds a line break.' })
      return Buffer.concat([message, Uint8Array.of(lineEnd)])
    },
    decode: (source) => decodeLines(source, maxMessageBytes),
  })
}

/** A length of four bytes, the most significant first, before each message. */
export function lengthFraming({ maxMessageBytes }: { readonly maxMessageBytes: number }): Framing {
  return Object.freeze<Framing>({
    encode(message) {
      checkSize(message.byteLength, maxMessageBytes)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(message.byteLength)
      return Buffer.concat([length, message])
    },
    decode: (source) => decodeLengths(source, maxMessageBytes),
  })
}

function checkSize(size: number, maxBytes: number): void {
  if (size > maxBytes) throw messageTooLargeError.create({ maxBytes })
}

async function* decodeLines(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let size = 0
  const take = (): Uint8Array => {
    const line = Buffer.concat(pieces, size)
    pieces = []
    size = 0
    return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
  }
  const add = (piece: Uint8Array): void => {
    size += piece.byteLength
    checkSize(size, maxBytes + 1)
    pieces.push(piece)
  }
  for await (const bytes of source) {
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
      add(bytes.subarray(from, end))
      from = end + 1
      const line = take()
      checkSize(line.byteLength, maxBytes)
      if (line.byteLength > 0) yield line
    }
    if (from < bytes.byteLength) add(bytes.subarray(from))
  }
  if (size > 0) throw messageInvalidError.create({ reason: 'its last line has no end.' })
}

async function* decodeLengths(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let held: Buffer[] = []
  let size = 0
  const take = (count: number): Buffer => {
    const [first] = held
    const whole = held.length === 1 && first ? first : Buffer.concat(held, size)
    held = whole.length > count ? [whole.subarray(count)] : []
    size -= count
    return whole.subarray(0, count)
  }
  let wanted: number | undefined
  for await (const bytes of source) {
    held.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    size += bytes.byteLength
    for (;;) {
      if (wanted === undefined) {
        if (size < 4) break
        wanted = take(4).readUInt32BE()
        checkSize(wanted, maxBytes)
      }
      if (size < wanted) break
      yield take(wanted)
      wanted = undefined
    }
  }
  if (size > 0 || wanted !== undefined) throw messageInvalidError.create({ reason: 'its last message is not whole.' })
}
