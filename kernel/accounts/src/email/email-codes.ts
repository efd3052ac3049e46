import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Without letters and digits that look alike, and without vowels, so that no code is a word. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ23456789'
const length = 8

/** A new code, `XXXX-XXXX`: 38 bits by chance. */
export function makeEmailCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')
  return `${characters.slice(0, length / 2)}-${characters.slice(length / 2)}`
}

/** What a code is valid for. */
export interface EmailCodeOwner {
  readonly userId: string
  readonly email: string
}

/** The keyed digest of a code, however a person typed it: in any case, with or without the hyphen and spaces. */
export const emailCodeDigest = (key: Uint8Array, { userId, email }: EmailCodeOwner, code: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['e-mail code', 1, userId, email, code.toUpperCase().replace(/[\s-]/g, '')]))
    .digest('base64url')

/** Whether two digests are the same, in constant time. */
export const isSameDigest = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one, 'base64url'), Buffer.from(other, 'base64url')]
  return left.length === right.length && timingSafeEqual(left, right)
}
