import { hkdfSync } from 'node:crypto'
import { keyLength } from './authenticated-encryption.js'

/**
 * A key for one purpose alone, derived from the encryption secret by HKDF-SHA-256 (RFC 5869). Keys of
 * different purposes say nothing about each other, nor about the key that data keys are wrapped
 * under.
 */
export const deriveKey = (encryptionSecret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(encryptionSecret, 'utf8'), '', `agent-service ${purpose}`, keyLength))
