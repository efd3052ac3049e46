import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a refresh token says: its session, and how often that session's token was replaced before.
 */
export interface RefreshTokenClaims {
  readonly sessionId: string
  readonly generation: number
}

/**
 * Creates and reads refresh tokens. A session is a family: each generation has one token, computed
 * from the key, so none is stored.
 */
export interface RefreshTokens {
  /**
   * Returns the same text each time: a repeated request for the successor of a token gets the one
   * that was issued.
   */
  tokenOf(claims: RefreshTokenClaims): string
  /**
   * `undefined` for any text that this service did not issue. The session says whether the token is
   * still valid.
   */
  read(token: string): RefreshTokenClaims | undefined
}

/** Session id, generation, and 256 bits of HMAC-SHA-256 in base64url. */
const form = /^([0-9a-f-]{36})\.([0-9]{1,9})\.([A-Za-z0-9_-]{43})$/

/** `key` has 32 random bytes and is secret. */
export function createRefreshTokens(key: Uint8Array): RefreshTokens {
  const proofOf = ({ sessionId, generation }: RefreshTokenClaims): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['refresh token', 1, sessionId, generation]))
      .digest()
  return {
    tokenOf: (claims) => `${claims.sessionId}.${claims.generation}.${proofOf(claims).toString('base64url')}`,
    read(token) {
      const match = form.exec(token)
      if (!match) return undefined
      const [, sessionId = '', generation = '', proof = ''] = match
      const claims = { sessionId, generation: Number(generation) }
      const given = Buffer.from(proof, 'base64url')
      const isOwn = given.length === 32 && timingSafeEqual(given, proofOf(claims))
      // A token has one spelling: another one of the number or of the last character is refused.
      return isOwn && String(claims.generation) === generation && given.toString('base64url') === proof ? claims : undefined
    },
  }
}
