import { createHmac, randomBytes } from 'node:crypto'
import { stringify, validate, version } from 'uuid'

/** The owner of a pre-signed URL. */
export interface PresignOwner {
  readonly userId: string
  /** The epochs when it was created: with others it is invalid. */
  readonly epochs: readonly number[]
}

/**
 * The ids of pre-signed URLs. URLs are not stored, so the id itself proves that this service issued
 * it to that owner, and when: a UUIDv7 with the time, 12 random bits, and 62 bits of HMAC-SHA-256
 * over owner, epochs, time and random bits. A guessed id only allows denying a URL that does not
 * exist.
 */
export interface PresignIds {
  make(owner: PresignOwner, now: number): string
  /**
   * When the id was issued to this owner, in milliseconds since 1970; `undefined` if it was not.
   */
  madeAt(id: string, owner: PresignOwner): number | undefined
}

/** `key` has 32 random bytes and is secret. */
export function createPresignIds(key: Uint8Array): PresignIds {
  const idOf = (head: Uint8Array, { userId, epochs }: PresignOwner): string => {
    const proof = createHmac('sha256', key)
      .update(JSON.stringify(['pre-signed URL', 1, userId, epochs, Buffer.from(head).toString('hex')]))
      .digest()
    const bytes = Buffer.concat([head, proof.subarray(0, 8)])
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return stringify(bytes)
  }
  return {
    make(owner, now) {
      const head = Buffer.alloc(8)
      head.writeUIntBE(now, 0, 6)
      head.writeUInt16BE(0x7000 | (randomBytes(2).readUInt16BE() & 0x0fff), 6)
      return idOf(head, owner)
    },
    madeAt(id, owner) {
      if (!validate(id) || version(id) !== 7) return undefined
      const head = Buffer.from(id.replaceAll('-', '').slice(0, 16), 'hex')
      return idOf(head, owner) === id ? head.readUIntBE(0, 6) : undefined
    },
  }
}
