import { createHash, randomInt } from 'node:crypto'

/**
 * The id of what several ids of vendors name together: those may have any characters and lengths. The
 * same for the same ids.
 */
export const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)

/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** A code that a person reads from one screen and types at another. */
export const pairingCode = (): string => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
