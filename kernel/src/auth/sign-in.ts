import type { Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import type { AccessTokens } from './access-tokens.js'
import type { AccountInput } from './account-input.js'
import { invalidCredentialsError } from './errors.js'
import type { PasswordHasher } from './password-hasher.js'
import { type SessionRecord, type UserRecord, users } from './records.js'
import type { Sessions } from './sessions.js'
import type { CreationGrant, UserAccounts } from './user-accounts.js'
import { profileOf, type UserProfile } from './user-profile.js'

/** What a person has after signing in. */
export interface SignedIn {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly user: UserProfile
}

/** Signing up and in with a local password. */
export interface SignIn {
  /** Creates the account and its first session together. @throws as {@link UserAccounts.create}. */
  register(input: AccountInput, grant: CreationGrant): Promise<SignedIn>
  /** A new session. @throws `invalid_credentials` whatever was wrong, `sign_in_busy`. */
  logIn(credentials: { readonly username: string; readonly password: string; readonly address: string }): Promise<SignedIn>
}

/** Makes it. */
export function createSignIn(dependencies: {
  readonly database: Database
  readonly accounts: UserAccounts
  readonly sessions: Sessions
  readonly tokens: AccessTokens
  readonly hasher: PasswordHasher
  readonly log: Logger
}): SignIn {
  const { database, accounts, sessions, tokens, hasher, log } = dependencies

  const answer = async (user: UserRecord, session: SessionRecord): Promise<SignedIn> => {
    const { token, expiresIn } = await tokens.issue({ userId: user.id, sessionId: session.id, role: user.role })
    return { access_token: token, token_type: 'Bearer', expires_in: expiresIn, user: profileOf(user) }
  }

  /** A hash at another cost is made anew while the password is at hand. That it could not be is no reason to refuse who proved the password. */
  const refreshHash = async (user: UserRecord, password: string): Promise<void> => {
    if (user.password_hash === null || !hasher.needsRehash(user.password_hash)) return
    try {
      await accounts.replacePasswordHash(user, await hasher.hash(password))
    } catch (error) {
      log.warn('A password hash could not be renewed; the next sign-in tries again.', { user_id: user.id, error })
    }
  }

  return {
    async register(input, grant) {
      const { user, result } = await accounts.create(input, grant, (transaction, created) => sessions.begin(transaction, created.id))
      log.info('An account was created.', { user_id: user.id, username: user.username, role: user.role })
      return answer(user, result)
    },
    async logIn({ username, password, address }) {
      const found = await accounts.findByLogin(username)
      const fits = await hasher.verify(found?.password_hash, password)
      if (!found || !fits || found.disabled) {
        log.warn('A sign-in failed.', { address, user_id: found?.id ?? null })
        throw invalidCredentialsError.create({})
      }
      await refreshHash(found, password)
      const { user, session } = await database.transaction(async (transaction) => {
        // Read again here, so that an account that was shut out while the password was checked gets no session.
        const current = await transaction.get(users, found.id)
        if (!current || current.disabled) throw invalidCredentialsError.create({})
        return { user: current, session: sessions.begin(transaction, current.id) }
      })
      log.info('A sign-in succeeded.', { address, user_id: user.id, session_id: session.id })
      return answer(user, session)
    },
  }
}
