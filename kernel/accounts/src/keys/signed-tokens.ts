import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { JWTPayload } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { SignJWT } from 'jose/jwt/sign'
import { LRUCache } from 'lru-cache'
import { type SigningKeys, signingAlgorithm } from './signing-keys.js'
import { isCompactToken, verifyStrictToken } from './strict-token.js'

/** How much clocks may differ. */
const skewSeconds = 30

/**
 * Distinguishes one kind of token from all others that the same keys sign: no token passes for
 * another kind.
 */
export interface TokenKind {
  /** `typ` of the header. */
  readonly headerType: string
  /** The claim `typ`. */
  readonly claim: string
  /** The claim `aud`. */
  readonly audience: string
  /**
   * Whether it is valid a little before and after its time, in case clocks differ. False if only
   * this service checks the time.
   */
  readonly skew: boolean
}

/** The claims of every signed token, and all others as they were signed. */
export interface SignedClaims {
  readonly userId: string
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly more: Readonly<JWTPayload>
}

/** Signs and verifies the tokens of one kind. */
export interface SignedTokens {
  /** Signs a token that is valid for `lifetimeSeconds` from now; both times are whole seconds. */
  sign(subject: { readonly userId: string; readonly tokenId: string }, lifetimeSeconds: number, more: JsonObject): Promise<SignedToken>
  /**
   * Returns the claims, or for any token of another kind or that is not valid now, the reason. It
   * is only for the log.
   */
  verify(token: string): Promise<{ readonly claims: SignedClaims } | { readonly reason: string }>
}

/** A newly signed token. */
export interface SignedToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The unverified `typ` of a token's header: only for choosing the verifier. */
export function headerTypeOf(token: string): string | undefined {
  if (!isCompactToken(token)) return undefined
  try {
    return decodeProtectedHeader(token).typ
  } catch {
    return undefined
  }
}

interface Verified extends SignedClaims {
  readonly issuer: string
  readonly issuedAt: number
}

/** `issuer` is called each time, since the port may only be known when the service listens. */
export function createSignedTokens(
  kind: TokenKind,
  dependencies: { readonly keys: SigningKeys; readonly clock: Clock; readonly issuer: () => string },
): SignedTokens {
  const { keys, clock, issuer } = dependencies
  const graceMs = kind.skew ? skewSeconds * 1000 : 0
  // The key is a digest of the exact text that was verified, so that no other text skips the check
  // of its signature.
  const verified = new LRUCache<string, Verified>({ max: 10_000 })
  const isInTime = ({ issuedAt, expiresAt }: Verified, now: number): boolean =>
    issuedAt <= now + skewSeconds * 1000 && now < expiresAt + graceMs

  return {
    async sign({ userId, tokenId }, lifetimeSeconds, more) {
      const issuedAt = Math.floor(clock.now() / 1000)
      const expiresAt = issuedAt + lifetimeSeconds
      const { kid, key } = keys.active()
      const token = await new SignJWT({ ...more, typ: kind.claim })
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: kind.headerType })
        .setIssuer(issuer())
        .setAudience(kind.audience)
        .setSubject(userId)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key)
      return { token, expiresAt: expiresAt * 1000 }
    },
    async verify(token) {
      const key = createHash('sha256').update(token, 'utf8').digest('base64url')
      const now = clock.now()
      const known = verified.get(key)
      if (known && known.issuer === issuer() && isInTime(known, now)) return { claims: known }
      try {
        const payload = await verifyStrictToken(token, {
          algorithm: signingAlgorithm,
          async keyOf(kid) {
            const verificationKey = kid === undefined ? undefined : await keys.verificationKey(kid)
            if (!verificationKey) throw new TypeError('No key of this service has this id.')
            return verificationKey
          },
          claims: {
            issuer: issuer(),
            audience: kind.audience,
            typ: kind.headerType,
            clockTolerance: graceMs / 1000,
            currentDate: new Date(now),
            requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'],
          },
        })
        const { sub, jti, iat, exp, typ, iss: _, aud: _audience, nbf: _notBefore, ...more } = payload
        if (typ !== kind.claim) return { reason: `the claim typ is not “${kind.claim}”` }
        if (typeof sub !== 'string' || typeof jti !== 'string' || iat === undefined || exp === undefined)
          return { reason: 'a claim has the wrong type' }
        const claims = { userId: sub, tokenId: jti, expiresAt: exp * 1000, more, issuer: issuer(), issuedAt: iat * 1000 }
        if (!isInTime(claims, now)) return { reason: 'it is expired, or from the future' }
        verified.set(key, claims)
        return { claims }
      } catch (error) {
        return { reason: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}
