import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The one-time code for creating the first account from another machine. In memory; useless after
 * the first account.
 */
export interface SetupCode {
  /** The code that the service logs at its start. */
  readonly code: string
  /** Whether this is the code, compared in constant time. */
  matches(candidate: string | undefined): boolean
}

/** Creates a code of more than 80 random bits, in groups that a person can type. */
export function createSetupCode(): SetupCode {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const characters = [...randomBytes(20)].map((byte) => letters[byte % letters.length]).join('')
  const code = characters.replace(/(.{5})(?=.)/g, '$1-')
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
  const expected = digest(code)
  return {
    code,
    matches: (candidate) => candidate !== undefined && timingSafeEqual(digest(candidate.trim().toLowerCase()), expected),
  }
}
