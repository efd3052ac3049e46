import type { Clock } from '@agent-service/sdk/services/clock'
import { v7 as uuid } from 'uuid'
import type { UserRole } from '../records/records.js'
import { createSignedTokens } from './signed-tokens.js'
import type { SigningKeys } from './signing-keys.js'

/** Who accepts access tokens: the API of this service. */
export const accessTokenAudience = 'agent-service'

/**
 * The claims of a verified access token. The role is omitted on purpose: the stored one decides.
 */
export interface AccessTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Issues and verifies access tokens. */
export interface AccessTokens {
  issue(subject: { readonly userId: string; readonly sessionId: string; readonly role: UserRole }): Promise<{
    readonly token: string
    /** Seconds. */
    readonly expiresIn: number
  }>
  /**
   * Returns the claims, or for any token that is not valid now, the reason. It is only for the log.
   */
  verify(token: string): Promise<{ readonly claims: AccessTokenClaims } | { readonly reason: string }>
}

/** `issuer` is called each time, since the port may only be known when the service listens. */
export function createAccessTokens(dependencies: {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly issuer: () => string
  readonly lifetimeSeconds: number
}): AccessTokens {
  const { lifetimeSeconds } = dependencies
  const tokens = createSignedTokens({ headerType: 'at+jwt', claim: 'access', audience: accessTokenAudience, skew: true }, dependencies)
  return {
    async issue({ userId, sessionId, role }) {
      const { token } = await tokens.sign({ userId, tokenId: uuid() }, lifetimeSeconds, { sid: sessionId, role })
      return { token, expiresIn: lifetimeSeconds }
    },
    async verify(token) {
      const result = await tokens.verify(token)
      if ('reason' in result) return result
      const { userId, tokenId, expiresAt, more } = result.claims
      const sessionId = more['sid']
      return typeof sessionId === 'string' ? { claims: { userId, sessionId, tokenId, expiresAt } } : { reason: 'it has no session' }
    },
  }
}
