import { createHmac } from 'node:crypto'
import { timestamp } from '../records/timestamps.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How many e-mails with codes are permitted in a time. */
export interface EmailLimit {
  readonly max: number
  readonly withinMs: number
}

/** For one account, to whatever addresses. */
export const accountLimits: readonly EmailLimit[] = [
  { max: 3, withinMs: hourMs },
  { max: 5, withinMs: dayMs },
]

/** For one mailbox, from whatever accounts. */
export const addressLimits: readonly EmailLimit[] = [{ max: 3, withinMs: dayMs }]

/** In how many milliseconds another e-mail is permitted; 0 if it is now. */
export function waitOf(permitted: readonly string[], limits: readonly EmailLimit[], now: number): number {
  const waits = limits.map(({ max, withinMs }) => {
    const oldest = permitted.at(-max)
    return oldest === undefined ? 0 : Math.max(0, Date.parse(oldest) + withinMs - now)
  })
  return Math.max(...waits)
}

/** The times of the last day, with this moment. */
export const permittedAgain = (permitted: readonly string[], now: number): readonly string[] => [
  ...permitted.filter((at) => Date.parse(at) > now - dayMs),
  timestamp(now),
]

/** When a record with a permission of this moment counts for nothing any more. */
export const forgetAt = (now: number): string => timestamp(now + 2 * dayMs)

/**
 * The id under which the e-mails to a mailbox are counted. What many providers ignore in a local part
 * does not make another one: dots, and what follows a `+`.
 */
export function mailboxId(key: Uint8Array, email: string): string {
  const at = email.lastIndexOf('@')
  const [name = ''] = email.slice(0, at).split('+', 1)
  const mailbox = `${name === '' ? email.slice(0, at) : name.replaceAll('.', '')}${email.slice(at)}`
  return createHmac('sha256', key)
    .update(JSON.stringify(['e-mail limit', 1, mailbox]))
    .digest('base64url')
}
