import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './byte-range.js'

const pieceBytes = 64 * 1024

/**
 * The bytes of an open file, read as they are asked for. Closes the file at the end, on `return()`, which need not follow a `next()`, and on a failure. A
 * file that has become shorter is a failure.
 */
export function fileBytes(handle: FileHandle, range: ByteRange): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array> {
  let position = range.first
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= handle.close()
    return closed
  }
  const iterator: AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      if (closed || position > range.last) {
        await close()
        return { done: true, value: undefined }
      }
      try {
        const wanted = Math.min(pieceBytes, range.last - position + 1)
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position)
        if (bytesRead === 0) throw new RangeError(`The file ended at byte ${position}, before byte ${range.last}.`)
        position += bytesRead
        return { done: false, value: buffer.subarray(0, bytesRead) }
      } catch (error) {
        await close()
        throw error
      }
    },
    async return() {
      await close()
      return { done: true, value: undefined }
    },
  }
  return iterator
}
