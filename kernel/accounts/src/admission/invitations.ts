import { createHash, randomBytes } from 'node:crypto'
import type { AuditActor } from '@agent-service/kernel-core/audit'
import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import { invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import type { Urls } from '@agent-service/sdk/services/urls'
import { v7 as uuid } from 'uuid'
import { type AccountInput, checkProfileChange } from '../accounts/account-input.js'
import type { AuditLog } from '../audit/index.js'
import { type InvitationRecord, invitations } from '../records/admission-records.js'
import {
  invitationExpiredError,
  invitationInvalidError,
  invitationRevokedError,
  invitationUsedError,
  tooManyInvitationsError,
} from '../records/errors.js'
import { type UserRole, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

const hourMs = 3_600_000
/** In hours. */
export const invitationLifetime = { min: 1, max: 720, default: 168 }
export const maxInvitationUses = 100
/** Open and ended ones together. */
const maxInvitations = 200
/** For how long the link of an ended invitation says why it no longer works. */
const retentionMs = 30 * 24 * hourMs

/** What an admin decides about an invitation. */
export interface InvitationInput {
  readonly role?: UserRole
  readonly email?: string | null
  readonly name?: string | null
  readonly expiresInHours?: number
  readonly maxUses?: number
}

export type InvitationState = 'open' | 'used' | 'expired' | 'revoked'

/** Links with which people make accounts. Only a digest of the token in them is stored. */
export interface Invitations {
  /**
   * Only the result has the link, with a token of 256 random bits behind the “#”, which browsers send
   * to no server. @throws `invalid_request`, `too_many_invitations`.
   */
  create(input: InvitationInput, actor: AuditActor): Promise<{ readonly record: InvitationRecord; readonly link: string }>
  /** The latest first by the end of their time; the ended ones stay for thirty days. */
  list(options: { readonly limit?: number; readonly cursor?: string }): Promise<Page<InvitationRecord>>
  stateOf(record: InvitationRecord): InvitationState
  /** From now on the link no longer works. @throws `not_found`. */
  revoke(id: string, actor: AuditActor): Promise<void>
  /**
   * The invitation of a token, which can be used now.
   * @throws `invitation_invalid`, `invitation_expired`, `invitation_revoked`, `invitation_used`.
   */
  find(token: string): Promise<InvitationRecord>
  /**
   * Uses it once, in the transaction that makes the account: of two at the same time one gets the
   * last use. @throws as {@link find}.
   */
  use(transaction: Transaction, id: string): Promise<void>
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

export function createInvitations(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly audit: AuditLog
  readonly urls: Pick<Urls, 'page'>
}): Invitations {
  const { database, clock, audit, urls } = dependencies
  const stored = database.collection(invitations)
  const stateOf = ({ revoked_at: revokedAt, uses, max_uses: maxUses, expires_at: end }: InvitationRecord): InvitationState =>
    revokedAt !== null ? 'revoked' : uses >= maxUses ? 'used' : Date.parse(end) <= clock.now() ? 'expired' : 'open'

  const checkUsable = async (record: InvitationRecord | undefined, read: Pick<Transaction, 'get'>): Promise<InvitationRecord> => {
    if (!record) throw invitationInvalidError.create({})
    const state = stateOf(record)
    if (state !== 'open') throw endedErrors[state].create({})
    const maker = record.user_id === null ? undefined : await read.get(users, record.user_id)
    // Who may no longer create accounts cannot do it by an earlier link either.
    if (record.user_id !== null && (maker?.role !== 'admin' || maker.disabled)) throw invitationInvalidError.create({})
    return record
  }

  return {
    stateOf,
    async create(input, actor) {
      const { email, name } = checkProfileChange({ email: input.email ?? null, name: input.name ?? null })
      const { role = 'user', expiresInHours = invitationLifetime.default, maxUses = 1 } = input
      if (typeof email === 'string' && maxUses > 1) throw oneAddressManyUses()
      if ((await stored.query({ index: 'by_expiry', limit: maxInvitations })).items.length >= maxInvitations)
        throw tooManyInvitationsError.create({ limit: maxInvitations })
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      const record: InvitationRecord = {
        id: uuid(),
        digest: digestOf(token),
        user_id: actor.userId,
        role,
        email: email ?? null,
        name: name ?? null,
        max_uses: maxUses,
        uses: 0,
        created_at: timestamp(now),
        expires_at: timestamp(now + expiresInHours * hourMs),
        revoked_at: null,
      }
      await database.transaction(async (transaction) => {
        transaction.insert(invitations, record)
        audit.record(transaction, {
          kind: 'invitation.created',
          actor,
          subjectId: record.id,
          after: { role, max_uses: maxUses, expires_at: record.expires_at, bound_to_email: record.email !== null },
        })
      })
      return { record, link: urls.page(`/register#invitation=${token}`) }
    },
    list: (options) => stored.query({ index: 'by_expiry', order: 'descending', ...options }),
    revoke: (id, actor) =>
      database.transaction(async (transaction) => {
        const record = await transaction.get(invitations, id)
        if (!record) throw notFoundError.create({ what: 'invitation' })
        if (record.revoked_at !== null) return
        transaction.put(invitations, { ...record, revoked_at: timestamp(clock.now()) })
        audit.record(transaction, { kind: 'invitation.revoked', actor, subjectId: id, before: { uses: record.uses } })
      }),
    async find(token) {
      const record = await stored.find('by_digest', [digestOf(token)])
      return checkUsable(record, { get: (collection, id) => database.collection(collection).get(id) })
    },
    async use(transaction, id) {
      const record = await checkUsable(await transaction.get(invitations, id), transaction)
      const isLast = record.uses + 1 >= record.max_uses
      // From here on the account says whom it was for.
      transaction.put(invitations, { ...record, uses: record.uses + 1, ...(isLast ? { email: null, name: null } : {}) })
    },
    prune: ({ signal }) =>
      deleteOlder({ database, collection: invitations, index: 'by_expiry', to: timestamp(clock.now() - retentionMs), signal }),
  }
}

/**
 * What an invited person enters, with what the invitation says. @throws `invalid_request` for
 * another address than the one that it is bound to.
 */
export function invitedInput(input: AccountInput, { email, name, role }: InvitationRecord): AccountInput & { readonly role: UserRole } {
  const entered = checkProfileChange({ email: input.email ?? null }).email
  if (email !== null && typeof entered === 'string' && entered !== email) {
    const problems = [{ path: '/email', message: 'must be the address that the invitation is for, or left out' }]
    throw invalidRequestError.create({ where: 'body' }, { problems })
  }
  return { ...input, email: email ?? input.email ?? null, name: input.name ?? name, role }
}

const endedErrors = { used: invitationUsedError, expired: invitationExpiredError, revoked: invitationRevokedError } as const

const digestOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex')

const oneAddressManyUses = (): Error => {
  const problems = [{ path: '/max_uses', message: 'must be 1 beside “email”: one address has one account' }]
  return invalidRequestError.create({ where: 'body' }, { problems })
}
