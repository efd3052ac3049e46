import { rateLimitedError } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { AccountInput } from '../accounts/account-input.js'
import { normalLogin } from '../accounts/account-input.js'
import type { CreationGrant, UserAccounts } from '../accounts/user-accounts.js'
import { profileOf, type UserProfile } from '../accounts/user-profile.js'
import type { AccountRequests } from '../admission/account-requests.js'
import type { AuditLog } from '../audit/index.js'
import type { EmailChanges } from '../email/changed-email.js'
import type { AccessTokens } from '../keys/access-tokens.js'
import { type LoginThrottle, maxWaitMs } from '../passwords/login-throttle.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { accountWaitingError, invalidCredentialsError } from '../records/errors.js'
import { type SessionRecord, type UserRecord, type UserRole, users } from '../records/records.js'
import type { KnownAddresses } from './known-addresses.js'
import type { Refresh } from './refresh.js'
import type { RefreshTokens } from './refresh-tokens.js'
import type { SessionClient, Sessions } from './sessions.js'

/** The result of a sign-in. */
export interface SignedIn {
  readonly answer: {
    readonly access_token: string
    readonly token_type: 'Bearer'
    /** Seconds. */
    readonly expires_in: number
    readonly user: UserProfile
  }
  readonly refresh: {
    readonly token: string
    /** Milliseconds since 1970. */
    readonly expiresAt: number
  }
}

/** The client of a sign-in, and the refresh token of an earlier sign-in in the same browser. */
export interface SignInOrigin extends SessionClient {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  readonly earlierToken: string | undefined
}

/** Signing up, in and out, and refreshing. */
export interface SignIn {
  /** Creates the account and its first session together. @throws as {@link UserAccounts.create}. */
  register(
    input: AccountInput & { readonly role?: UserRole },
    grant: CreationGrant,
    origin: SignInOrigin & { readonly createdBy: string | undefined; readonly invitationId?: string },
  ): Promise<SignedIn>
  /**
   * Begins a new session and ends the earlier one of the same browser; those on other devices stay.
   * After some attempts at one name the next ones are delayed, except the right password from an
   * address that has signed in to the account before.
   * @throws `invalid_credentials` for every cause but one: `account_waiting` for the right password
   * of a person who waits for an admin; `rate_limited` if it would wait too long,
   * `sign_in_busy`.
   */
  logIn(credentials: { readonly username: string; readonly password: string }, origin: SignInOrigin): Promise<SignedIn>
  /**
   * Issues another access token and the next refresh token of a session. @throws `unauthenticated`,
   * `refresh_reused`.
   */
  refresh(token: string, client: SessionClient): Promise<SignedIn>
  /**
   * Ends the sessions of the caller's access token and refresh token. Ignores sessions that have
   * already ended.
   */
  logOut(credentials: { readonly sessionId: string | undefined; readonly refreshToken: string | undefined }, address: string): Promise<void>
}

/** Issues the tokens of a session. */
export type SignedInAnswer = (user: UserRecord, session: SessionRecord) => Promise<SignedIn>

export const createSignedInAnswer =
  ({ tokens, refreshTokens }: { readonly tokens: AccessTokens; readonly refreshTokens: RefreshTokens }): SignedInAnswer =>
  async (user, session) => {
    const { token, expiresIn } = await tokens.issue({ userId: user.id, sessionId: session.id, role: user.role })
    return {
      answer: { access_token: token, token_type: 'Bearer', expires_in: expiresIn, user: profileOf(user) },
      refresh: {
        token: refreshTokens.tokenOf({ sessionId: session.id, generation: session.generation }),
        expiresAt: Date.parse(session.refresh_expires_at),
      },
    }
  }

/** Ends the session that the browser had before. */
export const createEndEarlier =
  ({ sessions, refreshTokens }: { readonly sessions: Sessions; readonly refreshTokens: RefreshTokens }) =>
  async (transaction: Transaction, token: string | undefined): Promise<void> => {
    const place = token === undefined ? undefined : refreshTokens.read(token)
    if (place) await sessions.endWithin(transaction, place.sessionId)
  }

export function createSignIn(dependencies: {
  readonly database: Database
  readonly accounts: UserAccounts
  readonly requests: Pick<AccountRequests, 'findByLogin'>
  readonly sessions: Sessions
  readonly answer: SignedInAnswer
  readonly endEarlier: ReturnType<typeof createEndEarlier>
  readonly refreshTokens: RefreshTokens
  readonly refresh: Refresh
  readonly hasher: PasswordHasher
  readonly loginThrottle: LoginThrottle
  readonly emailChanges: Pick<EmailChanges, 'announce'>
  readonly addresses: KnownAddresses
  readonly clock: Clock
  readonly audit: AuditLog
  readonly log: Logger
  /** Called before a password is hashed, also for a failing sign-in, and at each refresh. */
  readonly onSigningIn: () => void
}): SignIn {
  const { database, accounts, requests, sessions, answer, endEarlier, refreshTokens, refresh } = dependencies
  const { hasher, loginThrottle, emailChanges, addresses, clock, audit, log, onSigningIn } = dependencies

  /**
   * Renews a hash of another cost while the password is at hand. A failure does not refuse the
   * sign-in.
   */
  const refreshHash = async (user: UserRecord, password: string): Promise<void> => {
    if (user.password_hash === null || !hasher.needsRehash(user.password_hash)) return
    try {
      await accounts.replacePasswordHash(user, await hasher.hash(password))
    } catch (error) {
      log.warn('A password hash could not be renewed; the next sign-in tries again.', { user_id: user.id, error })
    }
  }

  return {
    async register(input, grant, origin) {
      onSigningIn()
      const { user, result } = await accounts.create(input, grant, (transaction, created) => {
        const actor = { userId: origin.createdBy ?? created.id, address: origin.address }
        audit.record(transaction, {
          kind: 'account.created',
          actor,
          subjectId: created.id,
          after: { username: created.username, role: created.role },
          ...(origin.invitationId === undefined ? {} : { details: { invitation: origin.invitationId } }),
        })
        if (origin.createdBy === undefined) addresses.remember(transaction, created.id, origin.address)
        return sessions.begin(transaction, created, origin)
      })
      if (user.email !== null && origin.createdBy === undefined)
        emailChanges.announce({ userId: user.id, confirmedBefore: null, wantsCode: true })
      log.info('An account was created.', { user_id: user.id, username: user.username, role: user.role })
      return answer(user, result)
    },
    async logIn({ username, password }, origin) {
      const { address, signal } = origin
      const name = normalLogin(username)
      const found = await accounts.findByLogin(username)
      // Asked for either way, so that the time says nothing about who has an account.
      const waiting = await requests.findByLogin(username)
      const known = await addresses.has(found?.id ?? 'nobody', address)
      const waitMs = loginThrottle.take(name)
      if (waitMs > maxWaitMs && !known)
        throw rateLimitedError.create({ what: 'attempts to sign in with this name' }, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      onSigningIn()
      const fits = await hasher.verify((found ?? waiting)?.password_hash, password)
      if (waitMs > 0 && !(fits && known)) await clock.wait(Math.min(waitMs, maxWaitMs), { signal })
      if (!found && waiting && fits) throw accountWaitingError.create({})
      if (!found || !fits || found.disabled) {
        log.warn('A sign-in failed.', { address, user_id: found?.id ?? null })
        await audit.note({ kind: 'sign_in.failed', actor: { userId: null, address }, subjectId: found?.id ?? null })
        throw invalidCredentialsError.create({})
      }
      await refreshHash(found, password)
      const { user, session } = await database.transaction(async (transaction) => {
        // Read again: an account that was disabled, or whose password was changed, during the check
        // gets no session.
        const current = await transaction.get(users, found.id)
        if (!current || current.disabled || current.session_epoch !== found.session_epoch) throw invalidCredentialsError.create({})
        await endEarlier(transaction, origin.earlierToken)
        addresses.remember(transaction, current.id, address)
        audit.record(transaction, { kind: 'sign_in.succeeded', actor: { userId: current.id, address }, subjectId: current.id })
        return { user: current, session: sessions.begin(transaction, current, origin) }
      })
      loginThrottle.forget(name)
      log.info('A sign-in succeeded.', { address, user_id: user.id, session_id: session.id })
      return answer(user, session)
    },
    async refresh(token, client) {
      const { user, session } = await refresh.rotate(token, client)
      onSigningIn()
      return answer(user, session)
    },
    async logOut({ sessionId, refreshToken }, address) {
      const ofCookie = refreshToken === undefined ? undefined : refreshTokens.read(refreshToken)?.sessionId
      for (const id of new Set([sessionId, ofCookie])) if (id !== undefined) await sessions.end(id, address)
    },
  }
}
