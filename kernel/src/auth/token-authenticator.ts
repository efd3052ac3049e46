import type { Logger } from '@agent-service/sdk'
import type { AccessScope } from '@agent-service/sdk/contracts/http-route'
import type { Authentication, Authenticator } from '../http/authenticator.js'
import { unauthenticatedError } from '../http/errors.js'
import type { AccessTokens } from './access-tokens.js'
import type { CredentialEnds } from './credential-ends.js'
import type { Sessions } from './sessions.js'
import type { UserAccounts } from './user-accounts.js'

/** A person's own session may do whatever the person's role may. */
const sessionScopes: readonly AccessScope[] = Object.freeze(['read', 'write', 'admin', 'inference'] as const)

/**
 * Proves a request by its access token: the signature, then the session and the account as they are stored now, so that an end takes effect with the
 * next request. A bearer decides alone, whatever else came with it.
 */
export function createTokenAuthenticator(dependencies: {
  readonly tokens: AccessTokens
  readonly sessions: Sessions
  readonly accounts: UserAccounts
  readonly ends: CredentialEnds
  readonly log: Logger
}): Authenticator {
  const { tokens, sessions, accounts, ends, log } = dependencies

  const refused = (reason: string) => {
    log.debug('A credential was refused.', { reason })
    return unauthenticatedError.create({})
  }

  return {
    async authenticate({ bearer, queryToken }): Promise<Authentication | undefined> {
      const token = bearer ?? queryToken
      if (token === undefined) return undefined
      const verified = await tokens.verify(token)
      if ('reason' in verified) throw refused(verified.reason)
      const { userId, sessionId, expiresAt } = verified.claims
      // Watched before it is looked up: an end in between is seen by one or the other.
      const watch = ends.watch({ userId, sessionId })
      try {
        const [session, user] = await Promise.all([sessions.live(sessionId), accounts.get(userId)])
        if (session?.user_id !== userId) throw refused('the session has ended')
        if (!user || user.disabled) throw refused('the account is gone or disabled')
        const { username, handle, role } = user
        return {
          principal: { userId, username, handle, role, scopes: sessionScopes, sessionId, expiresAt },
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
