import { createCipheriv, createDecipheriv } from 'node:crypto'

/** AES-256-GCM as this service uses it, and no other way: NIST SP 800-38D with the lengths below. */
export const keyLength = 32
export const nonceLength = 12
export const tagLength = 16

const algorithm = 'aes-256-gcm'

/** Ciphertext followed by the tag. A nonce must never be used twice with one key. @throws RangeError for other lengths. */
export function encrypt(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, authenticated: Uint8Array): Uint8Array {
  checkLengths(key, nonce)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(authenticated)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** The plaintext, or `undefined` when key, nonce, ciphertext, tag and authenticated data do not belong together. @throws RangeError for other lengths. */
export function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array): Uint8Array | undefined {
  checkLengths(key, nonce)
  if (sealed.length < tagLength) throw new RangeError(`Sealed bytes have at least ${tagLength} bytes, not ${sealed.length}.`)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(authenticated)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - tagLength))
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    // The one thing that `final` reports: the tag does not fit. Nothing of the plaintext is handed out then.
    plaintext.fill(0)
    return undefined
  }
}

function checkLengths(key: Uint8Array, nonce: Uint8Array): void {
  if (key.length !== keyLength) throw new RangeError(`A key has ${keyLength} bytes, not ${key.length}.`)
  if (nonce.length !== nonceLength) throw new RangeError(`A nonce has ${nonceLength} bytes, not ${nonce.length}.`)
}
