import { createHash } from 'node:crypto'
import type { AuditActor } from '@agent-service/kernel-core/audit'
import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { rateLimitedError } from '@agent-service/kernel-core/http'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import { networkOf } from '@agent-service/sdk/services/quotas'
import { v7 as uuid } from 'uuid'
import { type AccountInput, checkAccountInput, normalLogin } from '../accounts/account-input.js'
import { addUser } from '../accounts/add-user.js'
import type { AuditLog } from '../audit/index.js'
import type { EmailChanges } from '../email/changed-email.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { type AccountRequestRecord, accountRequests } from '../records/admission-records.js'
import { emailTakenError, usernameTakenError } from '../records/errors.js'
import { accountGuard, externalIdentities, type UserRecord, userNames, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

const lifetimeMs = 14 * 24 * 3_600_000
/** Of all networks, and of one. Those that arrive at the same moment may exceed them by a few. */
const maxRequests = 100
const maxOfNetwork = 20

/** What a person of single sign-on waits with. */
export interface RequestingIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean | null
  readonly name: string | null
}

/**
 * People who wait for an admin, for two weeks. They are not among the accounts, so that nothing that
 * signs in an account, speaks for one or resets its password can find them.
 */
export interface AccountRequests {
  /**
   * @throws `invalid_request`, `password_too_common`, `password_contains_name`, `username_taken`,
   * `email_taken`, `sign_in_busy`, `rate_limited` if too many wait.
   */
  ask(input: AccountInput, origin: { readonly address: string }): Promise<AccountRequestRecord>
  /** The same for a person of single sign-on, in its transaction; asking again changes nothing. */
  askByIdentity(
    transaction: Transaction,
    identity: RequestingIdentity,
    details: { readonly usernames: Iterable<string>; readonly keepsEmail: boolean; readonly address: string },
  ): Promise<void>
  /** Ends the request of an identity that got an account otherwise, in the transaction of its sign-in. */
  endByIdentity(transaction: Transaction, identity: Pick<RequestingIdentity, 'issuer' | 'subject'>): Promise<void>
  /** Finds a person who waits by username, or by e-mail address if the text has an “@”. */
  findByLogin(login: string): Promise<AccountRequestRecord | undefined>
  /** In the order in which they end: the earliest request first. */
  list(options: { readonly limit?: number; readonly cursor?: string }): Promise<Page<AccountRequestRecord>>
  /** Makes the account, of a user. @throws `not_found`, `username_taken`, `email_taken`. */
  approve(id: string, actor: AuditActor): Promise<UserRecord>
  /** @throws `not_found`. */
  refuse(id: string, actor: AuditActor): Promise<void>
  /** Calls for each one who asks, after the commit. Returns what ends it. */
  watch(listener: (request: { readonly id: string; readonly username: string }) => void): () => void
  prune(options: { readonly signal: AbortSignal }): Promise<void>
}

interface Dependencies {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Pick<Clock, 'now'>
  readonly hasher: PasswordHasher
  readonly commonPasswords: ReadonlySet<string>
  readonly emailChanges: Pick<EmailChanges, 'announce'>
  readonly audit: AuditLog
}

export function createAccountRequests(dependencies: Dependencies): AccountRequests {
  const { database, kernelDatabase, clock, hasher, commonPasswords, audit } = dependencies
  const stored = database.collection(accountRequests)
  const listeners = new Set<Parameters<AccountRequests['watch']>[0]>()
  const isOpen = ({ expires_at: end }: AccountRequestRecord): boolean => Date.parse(end) > clock.now()

  /** Expired requests make room, and free their name and address, before the next pruning. */
  const deleteExpired = async (transaction: Transaction): Promise<void> => {
    const old = await stored.query({ index: 'by_expiry', to: timestamp(clock.now() + 1), limit: maxRequests })
    for (const { id } of old.items) transaction.delete(accountRequests, id)
  }

  const checkRoom = async (network: string): Promise<void> => {
    const [all, ofNetwork] = await Promise.all([
      stored.query({ index: 'by_expiry', from: timestamp(clock.now() + 1), limit: maxRequests }),
      stored.query({ index: 'by_network', equals: [network], limit: maxOfNetwork }),
    ])
    if (all.items.length >= maxRequests || ofNetwork.items.filter(isOpen).length >= maxOfNetwork)
      throw rateLimitedError.create({ what: 'people who wait for an account' }, { retryAfterSeconds: 3_600 })
  }

  const add = (transaction: Transaction, request: AccountRequestRecord, address: string): void => {
    const { id, username } = request
    transaction.insert(accountRequests, request)
    audit.record(transaction, { kind: 'account.requested', actor: { userId: null, address }, subjectId: id, after: { username } })
    kernelDatabase.kernelView(transaction).afterCommit(() => {
      for (const listener of listeners) listener({ id, username })
    })
  }

  return {
    async ask(input, { address }) {
      const { password, ...checked } = checkAccountInput(input, commonPasswords)
      const network = digestOf(address)
      await checkRoom(network)
      await database.transaction((transaction) => checkFree(transaction, checked, isOpen))
      const passwordHash = await hasher.hash(password)
      return database.transaction(async (transaction) => {
        await deleteExpired(transaction)
        await checkRoom(network)
        await checkFree(transaction, checked, isOpen)
        const request = newRequest({ ...checked, password_hash: passwordHash, network }, clock.now())
        add(transaction, request, address)
        return request
      })
    },
    async askByIdentity(transaction, identity, { usernames, keepsEmail, address }) {
      const { issuer, subject, email, emailVerified, name } = identity
      await deleteExpired(transaction)
      const waiting = await transaction.find(accountRequests, 'by_subject', [issuer, subject])
      if (waiting && isOpen(waiting)) return
      const network = digestOf(address)
      await checkRoom(network)
      const username = await freeName(transaction, usernames)
      const isHeld = email !== null && (await transaction.find(accountRequests, 'by_email', [email])) !== undefined
      const request = newRequest(
        {
          username,
          email: keepsEmail && !isHeld ? email : null,
          name,
          network,
          issuer,
          subject,
          identity_email: email,
          identity_email_verified: emailVerified,
        },
        clock.now(),
      )
      add(transaction, request, address)
    },
    async endByIdentity(transaction, { issuer, subject }) {
      const waiting = await transaction.find(accountRequests, 'by_subject', [issuer, subject])
      if (waiting) transaction.delete(accountRequests, waiting.id)
    },
    async findByLogin(login) {
      const request = await stored.find(login.includes('@') ? 'by_email' : 'by_username', [normalLogin(login)])
      return request && isOpen(request) ? request : undefined
    },
    list: (options) => stored.query({ index: 'by_expiry', from: timestamp(clock.now() + 1), ...options }),
    approve: (id, actor) =>
      database.transaction(async (transaction) => {
        const request = await transaction.get(accountRequests, id)
        if (!request || !isOpen(request)) throw notFoundError.create({ what: 'request for an account' })
        return approveWithin(transaction, request, actor, dependencies)
      }),
    refuse: (id, actor) =>
      database.transaction(async (transaction) => {
        const request = await transaction.get(accountRequests, id)
        if (!request || !isOpen(request)) throw notFoundError.create({ what: 'request for an account' })
        transaction.delete(accountRequests, id)
        audit.record(transaction, { kind: 'account.refused', actor, subjectId: id, before: { username: request.username } })
      }),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    prune: ({ signal }) =>
      deleteOlder({ database, collection: accountRequests, index: 'by_expiry', to: timestamp(clock.now() + 1), signal }),
  }
}

/** What is not given is null: a time zone, a password, or an identity. */
const newRequest = (
  given: Pick<AccountRequestRecord, 'username' | 'email' | 'name' | 'network'> & Partial<AccountRequestRecord>,
  now: number,
): AccountRequestRecord => ({
  id: uuid(),
  timezone: null,
  language: null,
  password_hash: null,
  issuer: null,
  subject: null,
  identity_email: null,
  identity_email_verified: null,
  created_at: timestamp(now),
  expires_at: timestamp(now + lifetimeMs),
  ...given,
})

/** The account of a request, which ends with it. */
async function approveWithin(
  transaction: Transaction,
  request: AccountRequestRecord,
  actor: AuditActor,
  { kernelDatabase, clock, emailChanges, audit }: Dependencies,
): Promise<UserRecord> {
  const { username, email, name, timezone, language, issuer, subject } = request
  await checkFree(transaction, request, ({ id }) => id !== request.id)
  const now = timestamp(clock.now())
  const isProven = issuer !== null && request.identity_email_verified === true && email !== null
  const user = addUser(transaction, await transaction.get(accountGuard, 'accounts'), {
    username,
    email,
    name,
    timezone,
    language,
    role: 'user',
    passwordHash: request.password_hash,
    createdAt: now,
    emailVerifiedAt: isProven ? now : null,
  })
  if (issuer !== null && subject !== null)
    transaction.insert(externalIdentities, {
      id: uuid(),
      user_id: user.id,
      issuer,
      subject,
      email: request.identity_email,
      email_verified: request.identity_email_verified,
      created_at: now,
      last_sign_in_at: now,
    })
  transaction.delete(accountRequests, request.id)
  audit.record(transaction, {
    kind: 'account.created',
    actor,
    subjectId: user.id,
    after: { username, role: user.role },
    details: { request: request.id },
  })
  if (email !== null && !isProven)
    kernelDatabase
      .kernelView(transaction)
      .afterCommit(() => emailChanges.announce({ userId: user.id, confirmedBefore: null, wantsCode: true }))
  return user
}

async function checkFree(
  transaction: Transaction,
  { username, email }: { readonly username: string; readonly email: string | null },
  counts: (request: AccountRequestRecord) => boolean,
): Promise<void> {
  const sameName = await transaction.find(accountRequests, 'by_username', [username])
  if ((await transaction.get(userNames, username)) || (sameName && counts(sameName))) throw usernameTakenError.create({ username })
  if (email === null) return
  const sameEmail = await transaction.find(accountRequests, 'by_email', [email])
  if ((await transaction.find(users, 'by_email', [email])) || (sameEmail && counts(sameEmail))) throw emailTakenError.create({})
}

async function freeName(transaction: Transaction, candidates: Iterable<string>): Promise<string> {
  for (const name of candidates)
    if (!(await transaction.get(userNames, name)) && !(await transaction.find(accountRequests, 'by_username', [name]))) return name
  throw new Error('No username was free for a person who waits.')
}

const digestOf = (address: string): string => createHash('sha256').update(networkOf(address)).digest('base64url')
