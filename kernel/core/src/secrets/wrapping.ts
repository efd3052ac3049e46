import { createHash, randomBytes } from 'node:crypto'
import { decrypt, encrypt, formatSealed, nonceLength, parseSealed } from './authenticated-encryption.js'
import { encryptionSecretWrongError } from './secret-errors.js'

/**
 * Encrypts data keys under the encryption secret: its key is the SHA-256 of the secret's UTF-8
 * bytes, exactly as set.
 */
export function createWrapping(encryptionSecret: string) {
  const key = createHash('sha256').update(encryptionSecret, 'utf8').digest()
  return {
    /** Bound to the id of the data key. */
    wrap(id: string, plaintext: Uint8Array): string {
      const nonce = randomBytes(nonceLength)
      return formatSealed({ keyId: id, nonce, sealed: encrypt(key, nonce, plaintext, contextOf(id)) })
    },
    /** @throws `encryption_secret_wrong` if it was wrapped under another secret, or is damaged */
    unwrap(id: string, wrapped: string): Uint8Array {
      const parts = parseSealed(wrapped)
      const plaintext = parts && decrypt(key, parts.nonce, parts.sealed, contextOf(id))
      if (!plaintext) throw encryptionSecretWrongError.create({})
      return plaintext
    },
  }
}

const contextOf = (id: string): Uint8Array => Buffer.from(JSON.stringify(['agent-service data key', 1, id]), 'utf8')
