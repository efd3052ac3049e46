import type { Clock } from '@agent-service/sdk/services/clock'
import { v7 as uuid } from 'uuid'
import type { UserRole } from '../records/records.js'
import { createSignedTokens } from './signed-tokens.js'
import type { SigningKeys } from './signing-keys.js'

/** Who accepts access tokens: the API of this service. */
export const accessTokenAudience = 'agent-service'

/** What a verified access token says. The role is left out on purpose: the stored one decides. */
export interface AccessTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Makes and verifies access tokens. */
export interface AccessTokens {
  issue(subject: { readonly userId: string; readonly sessionId: string; readonly role: UserRole }): Promise<{
    readonly token: string
    /** Seconds. */
    readonly expiresIn: number
  }>
  /** `undefined` for whatever is not a token of this service that counts now; `reason` says why, for the log alone. */
  verify(token: string): Promise<{ readonly claims: AccessTokenClaims } | { readonly reason: string }>
}

/** Makes the service's access tokens. `issuer` is asked each time, since a port may be known only once the service listens. */
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
      return typeof sessionId === 'string'
        ? { claims: { userId, sessionId, tokenId, expiresAt } }
        : { reason: 'it does not say its session' }
    },
  }
}
