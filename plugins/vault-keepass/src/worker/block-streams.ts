import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from './problem.js'

const damaged = (): Error => invalid('it is damaged: the checksum of a block does not fit')
const truncated = (): Error => invalid('it is damaged: it ends too early')

/** The key of one block of a KDBX 4 file; `0xff…` is that of the header. */
export const blockKey = (hmacKey: Uint8Array, index: bigint): Buffer => {
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(index)
  return createHash('sha512').update(number).update(hmacKey).digest()
}

/**
 * The content of the blocks of a KDBX 4 file: HMAC, length, data, to a block without data. @throws
 * `vault_content_invalid` for a wrong HMAC, a missing end.
 */
export function readHmacBlocks(bytes: Buffer, hmacKey: Uint8Array): Buffer {
  const blocks: Buffer[] = []
  let at = 0
  for (let index = 0n; ; index += 1n) {
    if (at + 36 > bytes.length) throw truncated()
    const length = bytes.readUInt32LE(at + 32)
    const data = bytes.subarray(at + 36, at + 36 + length)
    if (data.length !== length) throw truncated()
    const head = Buffer.alloc(12)
    head.writeBigUInt64LE(index)
    head.writeUInt32LE(length, 8)
    const hmac = createHmac('sha256', blockKey(hmacKey, index)).update(head).update(data).digest()
    if (!timingSafeEqual(hmac, bytes.subarray(at, at + 32))) throw damaged()
    if (length === 0) return Buffer.concat(blocks)
    blocks.push(data)
    at += 36 + length
  }
}

/** The same for KDBX 3.1: number, hash, length, data. */
export function readHashedBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  let at = 0
  for (let index = 0; ; index += 1) {
    if (at + 40 > bytes.length) throw truncated()
    if (bytes.readUInt32LE(at) !== index) throw damaged()
    const length = bytes.readUInt32LE(at + 36)
    const data = bytes.subarray(at + 40, at + 40 + length)
    if (data.length !== length) throw truncated()
    if (length === 0) return Buffer.concat(blocks)
    if (
      !createHash('sha256')
        .update(data)
        .digest()
        .equals(bytes.subarray(at + 4, at + 36))
    )
      throw damaged()
    blocks.push(data)
    at += 40 + length
  }
}
