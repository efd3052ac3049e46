import { createHash, randomBytes } from 'node:crypto'

const bytes = 16
const form = /^[A-Za-z0-9_-]{22}$/

/** The secret part of a new link: 128 random bits in 22 characters. */
export const newSecret = (): string => randomBytes(bytes).toString('base64url')

/** Whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => form.test(text)

/** What is stored of a secret. With 128 random bits behind it, no salt and no slow hash are needed. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
