import { createCipheriv, createDecipheriv } from 'node:crypto'

/** AES-256-GCM (NIST SP 800-38D), only with the lengths below. */
export const keyLength = 32
export const nonceLength = 12
export const tagLength = 16

const algorithm = 'aes-256-gcm'

/**
 * Returns the ciphertext followed by the tag. A nonce must never be used twice with one key.
 * @throws a `RangeError` for other lengths
 */
export function encrypt(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, authenticated: Uint8Array): Uint8Array {
  checkLengths(key, nonce)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(authenticated)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/**
 * The plaintext; `undefined` if key, nonce, ciphertext, tag and authenticated data do not belong
 * together. @throws a `RangeError` for other lengths
 */
export function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array): Uint8Array | undefined {
  checkLengths(key, nonce)
  if (sealed.length < tagLength) throw new RangeError(`The sealed bytes have a length of ${sealed.length}; expected at least ${tagLength}.`)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(authenticated)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - tagLength))
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    // `final` only throws if the tag does not match. Then no plaintext is returned.
    plaintext.fill(0)
    return undefined
  }
}

function checkLengths(key: Uint8Array, nonce: Uint8Array): void {
  if (key.length !== keyLength) throw new RangeError(`The key has ${key.length} bytes; expected ${keyLength}.`)
  if (nonce.length !== nonceLength) throw new RangeError(`The nonce has ${nonce.length} bytes; expected ${nonceLength}.`)
}

/**
 * The parts of `v1.<key id>.<nonce>.<ciphertext and tag>`, the latter two in base64url without
 * padding.
 */
interface SealedText {
  readonly keyId: string
  readonly nonce: Uint8Array
  readonly sealed: Uint8Array
}

export const formatSealed = ({ keyId, nonce, sealed }: SealedText): string =>
  `v1.${keyId}.${Buffer.from(nonce).toString('base64url')}.${Buffer.from(sealed).toString('base64url')}`

/**
 * Parses a sealed text; `undefined` if it is not valid. Checks every length before anything is
 * decrypted.
 */
export function parseSealed(text: string): SealedText | undefined {
  const match = /^v1\.([A-Za-z0-9-]{1,64})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text)
  if (!match) return undefined
  const [, keyId = '', nonceText = '', sealedText = ''] = match
  const [nonce, sealed] = [bytesOf(nonceText), bytesOf(sealedText)]
  if (!nonce || !sealed || nonce.length !== nonceLength || sealed.length < tagLength) return undefined
  return { keyId, nonce, sealed }
}

/**
 * Decodes canonical base64url; any other spelling of the same bytes is refused as a changed text.
 */
function bytesOf(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
