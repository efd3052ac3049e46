import { createHash } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import { SignJWT } from 'jose/jwt/sign'
import { LRUCache } from 'lru-cache'
import { v7 as uuid } from 'uuid'
import type { UserRole } from '../records.js'
import { type SigningKeys, signingAlgorithm } from './signing-keys.js'
import { verifyStrictToken } from './strict-token.js'

/** Who accepts access tokens: the API of this service. */
export const accessTokenAudience = 'agent-service'
const accessTokenType = 'at+jwt'
const skewSeconds = 30

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
  const { keys, clock, issuer, lifetimeSeconds } = dependencies
  // Keyed by a digest of the very text that was verified, so that nothing but that text is believed without a look at its signature.
  const verified = new LRUCache<string, AccessTokenClaims & { readonly issuer: string; readonly issuedAt: number }>({ max: 10_000 })

  return {
    async issue({ userId, sessionId, role }) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const { kid, key } = keys.active()
      const token = await new SignJWT({ sid: sessionId, typ: 'access', role })
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: accessTokenType })
        .setIssuer(issuer())
        .setAudience(accessTokenAudience)
        .setSubject(userId)
        .setJti(uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key)
      return { token, expiresIn: lifetimeSeconds }
    },
    async verify(token) {
      const key = createHash('sha256').update(token, 'utf8').digest('base64url')
      const now = clock.now()
      const known = verified.get(key)
      if (known && known.issuer === issuer() && inTime(known, now)) return { claims: known }
      try {
        const payload = await verifyStrictToken(token, {
          algorithm: signingAlgorithm,
          async keyOf(kid) {
            const verificationKey = kid === undefined ? undefined : await keys.verificationKey(kid)
            if (!verificationKey) throw new TypeError('No key of this service has this name.')
            return verificationKey
          },
          claims: {
            issuer: issuer(),
            audience: accessTokenAudience,
            typ: accessTokenType,
            clockTolerance: skewSeconds,
            currentDate: new Date(now),
            requiredClaims: ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp'],
          },
        })
        const { sub, jti, iat, exp } = payload
        const sid = payload['sid']
        if (payload['typ'] !== 'access') return { reason: 'the claim typ is not “access”' }
        if (typeof sub !== 'string' || typeof sid !== 'string' || typeof jti !== 'string' || iat === undefined || exp === undefined) {
          return { reason: 'a claim has another type than it should have' }
        }
        const claims = { userId: sub, sessionId: sid, tokenId: jti, expiresAt: exp * 1000, issuer: issuer(), issuedAt: iat * 1000 }
        if (!inTime(claims, now)) return { reason: 'it was issued in the future' }
        verified.set(key, claims)
        return { claims }
      } catch (error) {
        return { reason: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

const inTime = (claims: { readonly issuedAt: number; readonly expiresAt: number }, now: number): boolean =>
  claims.issuedAt <= now + skewSeconds * 1000 && now < claims.expiresAt + skewSeconds * 1000
