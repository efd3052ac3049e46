import type { Logger } from '@agent-service/sdk'
import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
import type { Authentication, Authenticator } from '../../http/authenticator.js'
import { unauthenticatedError } from '../../http/errors.js'
import { refreshCookieName } from '../../http/request/credentials.js'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { CredentialEnds, WatchedCredential } from '../credential-ends.js'
import type { UserRecord } from '../records.js'
import type { Refresh } from '../sessions/refresh.js'
import { isOfEpoch, type Sessions } from '../sessions/sessions.js'
import type { AccessTokens } from './access-tokens.js'
import type { PersonalAccessTokens } from './personal-access-tokens.js'
import { isTokenText } from './token-text.js'

/** A person's own session may do whatever the person's role may. */
const sessionScopes: readonly AccessScope[] = Object.freeze(['read', 'write', 'admin', 'inference'] as const)

/** What a credential stands for, once it has been proven. */
interface Proof {
  readonly credential: WatchedCredential
  readonly scopes: readonly AccessScope[]
  readonly expiresAt?: number
}

/**
 * Proves a request by its access token, personal access token or refresh cookie, each held against session and account as they are stored now, so
 * that an end takes effect with the next request. A bearer decides alone, whatever else came with it.
 */
export function createTokenAuthenticator(dependencies: {
  readonly tokens: AccessTokens
  readonly personalTokens: PersonalAccessTokens
  readonly sessions: Sessions
  readonly refresh: Refresh
  readonly accounts: UserAccounts
  readonly ends: CredentialEnds
  readonly log: Logger
}): Authenticator {
  const { tokens, personalTokens, sessions, refresh, accounts, ends, log } = dependencies

  const refused = (reason: string) => {
    log.debug('A credential was refused.', { reason })
    return unauthenticatedError.create({})
  }

  const proveAccessToken = async (token: string): Promise<Proof> => {
    const verified = await tokens.verify(token)
    if ('reason' in verified) throw refused(verified.reason)
    const { userId, sessionId, expiresAt } = verified.claims
    return { credential: { userId, kind: 'session', id: sessionId }, scopes: sessionScopes, expiresAt }
  }
  const provePersonalToken = async (text: string): Promise<Proof> => {
    const token = await personalTokens.find(text)
    if (!token) throw refused('the personal access token is unknown, revoked or expired')
    return {
      credential: { userId: token.user_id, kind: 'access_token', id: token.id },
      scopes: token.scopes,
      ...(token.expires_at === null ? {} : { expiresAt: Date.parse(token.expires_at) }),
    }
  }
  const proveCookie = async (cookie: string): Promise<Proof> => {
    const found = await refresh.credentialOf(cookie)
    if (!found) throw refused('the refresh token does not count, or no longer')
    const { session } = found
    return {
      credential: { userId: session.user_id, kind: 'session', id: session.id },
      scopes: sessionScopes,
      expiresAt: Date.parse(session.refresh_expires_at),
    }
  }

  /** Whether the credential counts now, by what is stored. */
  const check = async ({ userId, kind, id }: WatchedCredential): Promise<UserRecord> => {
    const user = await accounts.get(userId)
    if (!user || user.disabled) throw refused('the account is gone or disabled')
    if (kind === 'session') {
      const session = await sessions.live(id)
      if (session?.user_id !== userId || !isOfEpoch(session, user)) throw refused('the session has ended')
    } else if ((await personalTokens.get(id)) === undefined) throw refused('the personal access token was revoked')
    return user
  }

  return {
    async authenticate({ bearer, queryToken, cookies }): Promise<Authentication | undefined> {
      const cookie = cookies[refreshCookieName]
      if (bearer === undefined && queryToken === undefined && cookie === undefined) return undefined
      const proof =
        bearer !== undefined && isTokenText(bearer)
          ? await provePersonalToken(bearer)
          : bearer !== undefined || queryToken !== undefined
            ? await proveAccessToken(bearer ?? queryToken ?? '')
            : await proveCookie(cookie ?? '')
      // Watched before it is looked up again: an end in between is seen by one or the other.
      const watch = ends.watch(proof.credential)
      try {
        const user = await check(proof.credential)
        const { username, handle, role } = user
        const { credential, scopes, expiresAt } = proof
        return {
          principal: {
            ...{ userId: user.id, username, handle, role, scopes },
            ...(credential.kind === 'session' ? { sessionId: credential.id } : {}),
            ...(expiresAt === undefined ? {} : { expiresAt }),
          },
          ended: watch.signal,
          release: () => watch.release(),
        }
      } catch (error) {
        watch.release()
        throw error
      }
    },
  }
}
