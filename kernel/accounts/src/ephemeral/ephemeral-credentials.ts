import type { AccessScope, Actor } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { v7 as uuid } from 'uuid'
import { createSignedTokens, type SignedToken } from '../keys/signed-tokens.js'
import type { SigningKeys } from '../keys/signing-keys.js'

/** The `typ` in the header of ephemeral tokens. */
export const ephemeralTokenType = 'ephemeral+jwt'

/** The most that an ephemeral token may do: never what only admins may. */
export const ephemeralScopes: readonly Exclude<AccessScope, 'admin' | 'metrics'>[] = Object.freeze(['read', 'write', 'inference'] as const)

/** The claims of an ephemeral token. */
export interface EphemeralClaims {
  readonly userId: string
  /** The grant: one for each process, with as many tokens as it needs. */
  readonly grantId: string
  /** The epoch of the user's sessions when the grant was made. */
  readonly epoch: number
  readonly scopes: readonly AccessScope[]
  readonly actor: Actor
}

/**
 * Creates and verifies ephemeral tokens. Whether user and grant are still valid is not in the
 * token.
 */
export interface EphemeralCredentials {
  sign(claims: EphemeralClaims): Promise<SignedToken>
  verify(token: string): Promise<{ readonly claims: EphemeralClaims; readonly expiresAt: number } | { readonly reason: string }>
}

export function createEphemeralCredentials(dependencies: {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly issuer: () => string
  readonly lifetimeSeconds: number
}): EphemeralCredentials {
  const { lifetimeSeconds } = dependencies
  const tokens = createSignedTokens(
    { headerType: ephemeralTokenType, claim: 'ephemeral', audience: 'agent-service:ephemeral', skew: false },
    dependencies,
  )
  return {
    sign({ userId, grantId, epoch, scopes, actor: { kind, id, purpose } }) {
      const more = { gid: grantId, epoch, scopes: allowed(scopes), act: { kind, id, purpose } }
      return tokens.sign({ userId, tokenId: uuid() }, lifetimeSeconds, more)
    },
    async verify(token) {
      const result = await tokens.verify(token)
      if ('reason' in result) return result
      const { userId, expiresAt, more } = result.claims
      const { gid: grantId, epoch, scopes, act: actor } = more as { readonly [claim: string]: unknown }
      if (typeof grantId !== 'string' || typeof epoch !== 'number' || !Array.isArray(scopes) || !isActor(actor))
        return { reason: 'a claim has the wrong type' }
      return { claims: { userId, grantId, epoch, scopes: allowed(scopes as readonly unknown[]), actor }, expiresAt }
    },
  }
}

const allowed = (scopes: readonly unknown[]): AccessScope[] => ephemeralScopes.filter((scope) => scopes.includes(scope))

const isActor = (value: unknown): value is Actor => {
  if (typeof value !== 'object' || value === null) return false
  const { kind, id, purpose } = value as { readonly [name: string]: unknown }
  return ['agent', 'app', 'mcp_server'].includes(String(kind)) && typeof id === 'string' && typeof purpose === 'string'
}
