/** A message between the service and a reader: a description, and bytes that belong to it. */
export interface Frame {
  readonly header: unknown
  readonly payload: Uint8Array
}

/** Reads frames from a pipe, one after the other. */
export interface FrameReader {
  /** The next frame; undefined at the end of the pipe. @throws an error if a frame is cut off or larger than allowed. */
  next(): Promise<Frame | undefined>
}

const lengthBytes = 4
const maxHeaderBytes = 256 * 1024

/** The beginning of a frame: its payload follows as it is, so that no large piece is copied. */
export function frameHead(header: object, payloadBytes: number): Uint8Array {
  const text = Buffer.from(JSON.stringify({ header, payloadBytes }))
  const head = Buffer.alloc(lengthBytes + text.length)
  head.writeUInt32BE(text.length)
  text.copy(head, lengthBytes)
  return head
}

export function createFrameReader(
  source: AsyncIterable<Uint8Array>,
  { maxPayloadBytes }: { readonly maxPayloadBytes: number },
): FrameReader {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()

  /** Exactly this many bytes; undefined if the pipe ends before the first of them. */
  const take = async (length: number): Promise<Uint8Array | undefined> => {
    const taken: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      if (rest.length === 0) {
        const { done, value } = await pieces.next()
        if (done === true) {
          if (missing === length) return undefined
          throw new Error('The pipe ended in the middle of a message.')
        }
        rest = value
      }
      const piece = rest.subarray(0, missing)
      rest = rest.subarray(piece.length)
      missing -= piece.length
      taken.push(piece)
    }
    const [only] = taken
    return taken.length === 1 && only ? only : Buffer.concat(taken, length)
  }

  const takeAll = async (length: number): Promise<Uint8Array> => {
    const bytes = await take(length)
    if (!bytes) throw new Error('The pipe ended in the middle of a message.')
    return bytes
  }

  return {
    async next() {
      const size = await take(lengthBytes)
      if (!size) return undefined
      const headerBytes = Buffer.from(size).readUInt32BE()
      if (headerBytes > maxHeaderBytes) throw new Error(`A message has a description of ${headerBytes} bytes.`)
      const { header, payloadBytes } = JSON.parse(Buffer.from(await takeAll(headerBytes)).toString()) as {
        readonly header: unknown
        readonly payloadBytes: number
      }
      if (!Number.isSafeInteger(payloadBytes) || payloadBytes < 0 || payloadBytes > maxPayloadBytes)
        throw new Error(`A message has ${payloadBytes} bytes; at most ${maxPayloadBytes} are allowed.`)
      return { header, payload: payloadBytes === 0 ? new Uint8Array() : await takeAll(payloadBytes) }
    },
  }
}
