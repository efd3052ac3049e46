import { nonceLength, tagLength } from './authenticated-encryption.js'

/**
 * The parts of `v1.<key id>.<nonce>.<ciphertext and tag>`, the latter two in base64url without
 * padding.
 */
export interface SealedText {
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
