import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import { addUser } from '../accounts/add-user.js'
import type { AuditLog } from '../audit/index.js'
import { withEmail } from '../email/changed-email.js'
import type { AccountHandOver } from '../hand-over/account-hand-over.js'
import { deleteTokensOf } from '../records/delete-tokens-of.js'
import {
  type AccountGuardRecord,
  accountGuard,
  type ExternalIdentityRecord,
  externalIdentities,
  knownAddresses,
  type UserRecord,
  userNames,
  users,
} from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'
import type { SignInDecision, SignInFacts } from './decide-sign-in.js'
import type { CheckedIdentity } from './read-identity.js'
import { usernameCandidates } from './username-candidates.js'

/** What a transaction has read about an identity. */
export interface FoundAccounts {
  readonly linked: UserRecord | undefined
  readonly sameEmail: SignInFacts['sameEmail']
  /** The stored identity; its account may have been deleted. */
  readonly record: ExternalIdentityRecord | undefined
  /** Absent while there is no account. */
  readonly guard: AccountGuardRecord | undefined
}

/** The links between identities and accounts. */
export interface AccountLinks {
  find(transaction: Transaction, identity: CheckedIdentity): Promise<FoundAccounts>
  /**
   * Links or creates an account as decided and stores the current identity. Returns the account
   * that gets the session.
   */
  carryOut(
    transaction: Transaction,
    step: {
      readonly decision: Exclude<SignInDecision, { readonly outcome: 'refuse' | 'wait' }>
      readonly found: FoundAccounts
      readonly identity: CheckedIdentity
      readonly address: string
    },
  ): Promise<UserRecord>
  /**
   * Deletes tokens that were being created while a link ended local access. After its commit, no
   * earlier session can create one.
   */
  endTokens(userId: string): Promise<void>
}

type Step = Parameters<AccountLinks['carryOut']>[1]

export function createAccountLinks(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly revocations: Revocations
  readonly audit: AuditLog
  readonly handOver: Pick<AccountHandOver, 'begin'>
}): AccountLinks {
  const { database, kernelDatabase, clock, revocations, audit, handOver } = dependencies

  /**
   * All identities of a user: as many as there have been providers. Sign-ins change only those of
   * the current provider.
   */
  const identitiesOf = async (userId: string): Promise<readonly ExternalIdentityRecord[]> =>
    (await database.collection(externalIdentities).query({ index: 'by_user', equals: [userId], limit: 200 })).items

  /** Where the former holder signed in, and may guess at passwords faster than elsewhere. */
  const addressesOf = async (userId: string): Promise<readonly { readonly id: string }[]> =>
    (await database.collection(knownAddresses).query({ index: 'by_user', equals: [userId], limit: 200 })).items

  const standingOf = async (transaction: Transaction, user: UserRecord, issuer: string) => {
    const ofIssuer = await transaction.find(externalIdentities, 'by_user', [user.id, issuer])
    return {
      ...{ id: user.id, role: user.role, disabled: user.disabled },
      hasIdentityOfIssuer: ofIssuer !== undefined,
      isEmailProven: user.email_verified_at !== null,
      isProvenByProvider: (await identitiesOf(user.id)).some(
        ({ email, email_verified: verified }) => verified === true && email === user.email,
      ),
    }
  }

  /**
   * The e-mail address of the account may have been another person's, or typed by one who waits for
   * its owner to sign in. So the link ends password, sessions, tokens and identities at other
   * providers.
   */
  const endLocalAccess = async (transaction: Transaction, user: UserRecord, now: string): Promise<UserRecord> => {
    const ended = { ...user, password_hash: null, session_epoch: user.session_epoch + 1, updated_at: now }
    transaction.put(users, ended)
    for (const { id } of await identitiesOf(user.id)) transaction.delete(externalIdentities, id)
    for (const { id } of await addressesOf(user.id)) transaction.delete(knownAddresses, id)
    await deleteTokensOf(user.id, database, transaction)
    kernelDatabase.kernelView(transaction).afterCommit(() => revocations.userRevoked(user.id))
    return ended
  }

  /**
   * Removes an e-mail address from an account that has not proven it, because another person has.
   */
  const takeEmail = async (transaction: Transaction, userId: string, now: string, address: string): Promise<void> => {
    const holder = await transaction.get(users, userId)
    if (!holder) return
    transaction.put(users, { ...(await withEmail(transaction, holder, null)), updated_at: now })
    audit.record(transaction, {
      ...{ kind: 'email.changed', actor: { userId: null, address }, subjectId: userId },
      details: { reason: 'proven_by_another' },
    })
  }

  /** The provider has verified the very address of the account. Written only if it was unconfirmed. */
  const proveEmail = (transaction: Transaction, user: UserRecord, { identity, address }: Step): UserRecord => {
    const { email, emailVerified, issuer } = identity
    if (emailVerified !== true || email === null || user.email !== email || user.email_verified_at !== null) return user
    const now = timestamp(clock.now())
    const proven = { ...user, email_verified_at: now, updated_at: now }
    transaction.put(users, proven)
    audit.record(transaction, {
      kind: 'email.confirmed',
      actor: { userId: user.id, address },
      subjectId: user.id,
      details: { method: 'single_sign_on', issuer },
    })
    return proven
  }

  const remember = (
    transaction: Transaction,
    userId: string,
    identity: CheckedIdentity,
    before: ExternalIdentityRecord | undefined,
  ): void => {
    const now = timestamp(clock.now())
    const { issuer, subject, email, emailVerified } = identity
    const isSame = before?.user_id === userId
    transaction.put(externalIdentities, {
      ...{ id: before?.id ?? uuid(), user_id: userId, issuer, subject, email, email_verified: emailVerified },
      created_at: isSame ? before.created_at : now,
      last_sign_in_at: now,
    })
  }

  const freeUsername = async (transaction: Transaction, identity: CheckedIdentity): Promise<string> => {
    for (const candidate of usernameCandidates(identity)) if (!(await transaction.get(userNames, candidate))) return candidate
    throw new Error('No username was free for a new account.')
  }

  const createAccount = async (
    transaction: Transaction,
    decision: Extract<SignInDecision, { readonly outcome: 'create' }>,
    { found, identity, address }: Step,
  ): Promise<UserRecord> => {
    const now = timestamp(clock.now())
    const { issuer, email, name } = identity
    if (decision.takesEmailFrom !== undefined) await takeEmail(transaction, decision.takesEmailFrom, now, address)
    const username = await freeUsername(transaction, identity)
    const user = addUser(transaction, found.guard, {
      ...{
        username,
        email,
        emailVerifiedAt: identity.emailVerified === true && email !== null ? now : null,
        name,
        timezone: null,
        role: decision.role,
        passwordHash: null,
        createdAt: now,
      },
    })
    audit.record(transaction, {
      ...{ kind: 'account.created', actor: { userId: user.id, address }, subjectId: user.id },
      ...{ after: { username, role: user.role }, details: { method: 'single_sign_on', issuer } },
    })
    return user
  }

  const accountFor = async (transaction: Transaction, step: Step): Promise<UserRecord> => {
    const { decision, identity, address } = step
    if (decision.outcome === 'create') return createAccount(transaction, decision, step)
    const user = await transaction.get(users, decision.userId)
    if (!user) throw new Error('The account that was found in this transaction is not in it.')
    if (decision.outcome === 'sign_in') return user
    audit.record(transaction, {
      ...{ kind: 'identity.linked', actor: { userId: user.id, address }, subjectId: user.id },
      details: { issuer: identity.issuer, ended_local_access: decision.endsLocalAccess },
    })
    if (decision.handsOver) handOver.begin(transaction, user)
    return decision.endsLocalAccess ? endLocalAccess(transaction, user, timestamp(clock.now())) : user
  }

  return {
    async find(transaction, { issuer, subject, email }) {
      const record = await transaction.find(externalIdentities, 'by_subject', [issuer, subject])
      const linked = record && (await transaction.get(users, record.user_id))
      const holder = email === null || linked ? undefined : await transaction.find(users, 'by_email', [email])
      return {
        ...{ linked, record },
        sameEmail: holder && (await standingOf(transaction, holder, issuer)),
        guard: await transaction.get(accountGuard, 'accounts'),
      }
    },
    async carryOut(transaction, step) {
      const user = proveEmail(transaction, await accountFor(transaction, step), step)
      remember(transaction, user.id, step.identity, step.found.record)
      return user
    },
    endTokens: (userId) => database.transaction((transaction) => deleteTokensOf(userId, database, transaction)),
  }
}
