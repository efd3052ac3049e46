import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import { rateLimitedError, unauthenticatedError } from '@agent-service/kernel-core/http'
import { emailAddress } from '@agent-service/sdk/email-addresses'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import {
  type EmailConfirmation,
  emailCodeInvalidError,
  emailConfirmedError,
  emailMissingError,
} from '@agent-service/sdk/services/email-confirmation'
import type { AuditLog } from '../audit/index.js'
import { type EmailConfirmationRecord, emailConfirmations, emailLimits } from '../records/email-records.js'
import { type UserRecord, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import type { EmailChanges } from './changed-email.js'
import { emailCodeDigest, isSameDigest, makeEmailCode } from './email-codes.js'
import {
  accountLimits,
  addressCounts,
  type EmailLimit,
  forgetAt,
  mailboxLimits,
  ownLimits,
  permittedAgain,
  waitOf,
} from './email-limits.js'

const codeLifetimeMs = 30 * 60_000
const maxAttempts = 5

interface Unconfirmed {
  readonly user: UserRecord
  readonly email: string
  readonly record: EmailConfirmationRecord | undefined
}

/** E-mails that a limit counts. */
interface AddressCount {
  readonly id: string
  readonly permitted: readonly string[]
  readonly waitMs: number
}

/** `key` has 32 random bytes and is secret; it has other uses, which are kept apart. */
export function createEmailConfirmation(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly key: Uint8Array
  readonly changes: EmailChanges
  readonly audit: AuditLog
}): EmailConfirmation & { prune(options: { readonly signal: AbortSignal }): Promise<void> } {
  const { database, clock, key, changes, audit } = dependencies

  /** @throws `unauthenticated`, `email_missing`, `email_confirmed`. */
  const unconfirmed = async (transaction: Transaction, userId: string): Promise<Unconfirmed> => {
    const user = await transaction.get(users, userId)
    if (!user || user.disabled) throw unauthenticatedError.create({})
    const { email } = user
    // An address of an earlier release may be none by the rules of this one.
    if (email === null || emailAddress(email) !== email) throw emailMissingError.create({})
    if (user.email_verified_at !== null) throw emailConfirmedError.create({})
    return { user, email, record: await transaction.get(emailConfirmations, userId) }
  }

  /** Confirms, or counts the wrong code. Does not throw, so that the count is stored. */
  const attempt = async (transaction: Transaction, userId: string, code: string, address: string): Promise<boolean> => {
    const { user, email, record } = await unconfirmed(transaction, userId)
    const isValid = record?.email === email && record.expires_at !== null && Date.parse(record.expires_at) > clock.now()
    if (!record || !isValid || record.digest === null || record.attempts >= maxAttempts) return false
    if (!isSameDigest(record.digest, emailCodeDigest(key, { userId, email }, code))) {
      transaction.put(emailConfirmations, { ...record, attempts: record.attempts + 1 })
      return false
    }
    transaction.put(emailConfirmations, { ...record, digest: null, expires_at: null })
    const now = timestamp(clock.now())
    transaction.put(users, { ...user, email_verified_at: now, updated_at: now })
    audit.record(transaction, {
      kind: 'email.confirmed',
      actor: { userId, address },
      subjectId: userId,
      details: { method: 'code' },
    })
    return true
  }

  /** The count that an e-mail to this address is taken from: that of its mailbox, else its own. */
  const countOf = async (transaction: Transaction, email: string, now: number): Promise<AddressCount> => {
    const { shared, own } = addressCounts(key, email)
    const read = async (id: string, limits: readonly EmailLimit[]): Promise<AddressCount> => {
      const permitted = (await transaction.get(emailLimits, id))?.permitted_at ?? []
      return { id, permitted, waitMs: waitOf(permitted, limits, now) }
    }
    const ofMailbox = await read(shared, mailboxLimits)
    if (ofMailbox.waitMs === 0 || own === undefined) return ofMailbox
    const ofOwn = await read(own, ownLimits)
    return ofOwn.waitMs < ofMailbox.waitMs ? ofOwn : ofMailbox
  }

  return {
    request: (userId, { address }) =>
      database.transaction(async (transaction) => {
        const { email, record } = await unconfirmed(transaction, userId)
        const now = clock.now()
        const ofAccount = record?.permitted_at ?? []
        const ofAddress = await countOf(transaction, email, now)
        const waitMs = Math.max(waitOf(ofAccount, accountLimits, now), ofAddress.waitMs)
        if (waitMs > 0) throw rateLimitedError.create({ what: 'e-mails with codes' }, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
        const empty = { id: userId, user_id: userId, email, digest: null, expires_at: null, attempts: 0 }
        transaction.put(emailConfirmations, { ...(record ?? empty), permitted_at: permittedAgain(ofAccount, now) })
        transaction.put(emailLimits, {
          id: ofAddress.id,
          permitted_at: permittedAgain(ofAddress.permitted, now),
          forget_at: forgetAt(now),
        })
        audit.record(transaction, { kind: 'email.confirmation_sent', actor: { userId, address }, subjectId: userId })
        return { email }
      }),
    issue: (userId, email, { retried = false } = {}) =>
      database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user || user.disabled || user.email !== email || user.email_verified_at !== null) return undefined
        const record = await transaction.get(emailConfirmations, userId)
        // Else each retry of one permitted e-mail would give more guesses.
        const attempts = retried ? (record?.attempts ?? 0) : 0
        if (attempts >= maxAttempts) return undefined
        const code = makeEmailCode()
        transaction.put(emailConfirmations, {
          id: userId,
          user_id: userId,
          email,
          digest: emailCodeDigest(key, { userId, email }, code),
          expires_at: timestamp(clock.now() + codeLifetimeMs),
          attempts,
          permitted_at: record?.permitted_at ?? [],
        })
        return code
      }),
    async confirm(userId, code, { address }) {
      if (await database.transaction((transaction) => attempt(transaction, userId, code, address))) return
      await audit.note({ kind: 'email.confirmation_refused', actor: { userId, address }, subjectId: userId })
      throw emailCodeInvalidError.create({})
    },
    watch: (listener) => changes.watch(listener),
    prune: ({ signal }) => deleteOlder({ database, collection: emailLimits, index: 'by_time', to: timestamp(clock.now()), signal }),
  }
}
