import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Two keys in one: 32 bytes to encrypt, 32 to authenticate. */
export type SymmetricKey = Uint8Array

export const symmetricKeyLength = 64

/**
 * Decrypts a text of the form `2.vector|data|mac`: AES-256-CBC with HMAC-SHA256, which is checked
 * first. Undefined if it is of another form, or not of this key; forms without a MAC are never
 * read.
 */
export function decryptBytes(text: unknown, key: SymmetricKey): Buffer | undefined {
  const [vector, data, mac] = typeof text === 'string' && text.startsWith('2.') ? text.slice(2).split('|').map(bytesOf) : []
  if (vector?.length !== 16 || data === undefined || mac?.length !== 32 || key.length !== symmetricKeyLength) return undefined
  if (!timingSafeEqual(macOf(key, vector, data), mac)) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', key.subarray(0, 32), vector)
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    // The length or the padding does not fit, which is said by the value.
    return undefined
  }
}

/** The same as text; undefined too if it is no UTF-8. */
export function decryptText(text: unknown, key: SymmetricKey): string | undefined {
  const bytes = decryptBytes(text, key)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // It is no text, which is said by the value.
    return undefined
  }
}

/** Encrypts a text in the form that {@link decryptBytes} reads. */
export function encrypt(value: string | Uint8Array, key: SymmetricKey): string {
  const vector = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key.subarray(0, 32), vector)
  const data = Buffer.concat([cipher.update(value), cipher.final()])
  return `2.${[vector, data, macOf(key, vector, data)].map((bytes) => bytes.toString('base64')).join('|')}`
}

/** Decrypts what was encrypted for a public key: `4.data` (RSA-OAEP with SHA-1) or `3.data` (SHA-256). */
export function decryptWithPrivateKey(text: unknown, privateKey: Uint8Array): Buffer | undefined {
  if (typeof text !== 'string' || !/^[34]\./.test(text)) return undefined
  try {
    const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' })
    const oaepHash = text.startsWith('4') ? 'sha1' : 'sha256'
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, bytesOf(text.slice(2)))
  } catch {
    // It is of another key or none, which is said by the value.
    return undefined
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

const macOf = (key: SymmetricKey, vector: Uint8Array, data: Uint8Array): Buffer =>
  createHmac('sha256', key.subarray(32)).update(vector).update(data).digest()
