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
export const mailboxLimits: readonly EmailLimit[] = [{ max: 3, withinMs: dayMs }]

/** For an address without a tag, once those of its mailbox are used up. */
export const ownLimits: readonly EmailLimit[] = [{ max: 1, withinMs: dayMs }]

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

/** The counts that an e-mail to an address can be taken from, by their ids. */
export interface AddressCounts {
  /** Of the mailbox, which many spellings reach. */
  readonly shared: string
  /** Of an address that has no tag: what others do with spellings of it does not use this up. */
  readonly own: string | undefined
}

/** The ids are keyed digests: the counts outlive the accounts, and name no one. */
export function addressCounts(key: Uint8Array, email: string): AddressCounts {
  const digest = (...parts: readonly string[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(['e-mail limit', 1, ...parts]))
      .digest('base64url')
  const { mailbox, isPlain } = mailboxOf(email)
  return { shared: digest(mailbox), own: isPlain ? digest('own', email) : undefined }
}

/** Providers that ignore dots in a local part. */
const ignoringDots: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox behind an address. What providers ignore in a local part does not make another one: what
 * follows a `+`, with Yahoo also a `-`, and dots with the few that ignore them. Elsewhere a dot makes
 * the address of another person.
 */
function mailboxOf(email: string): { readonly mailbox: string; readonly isPlain: boolean } {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  const [untagged = ''] = local.split(domain.startsWith('yahoo.') ? /[+-]/ : '+', 1)
  const known = untagged === '' ? local : untagged
  const name = ignoringDots.has(domain) ? known.replaceAll('.', '') : known
  return { mailbox: `${name}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`, isPlain: name === local }
}
