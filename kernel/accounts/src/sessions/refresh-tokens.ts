import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where a refresh token stands: its session, and how often that session's token was replaced before. */
export interface RefreshTokenPlace {
  readonly sessionId: string
  readonly generation: number
}

/** Makes and reads refresh tokens. A session is a family: each generation has one token, computed from the key, so none is ever stored. */
export interface RefreshTokens {
  /** The same text each time: whoever asks again for the successor of a token gets the one that was given out. */
  tokenOf(place: RefreshTokenPlace): string
  /** `undefined` for whatever this service did not make. Whether the token still counts is the session's to say. */
  read(token: string): RefreshTokenPlace | undefined
}

/** Session id, generation, and 256 bits of HMAC-SHA-256 in base64url. */
const form = /^([0-9a-f-]{36})\.([0-9]{1,9})\.([A-Za-z0-9_-]{43})$/

/** `key` has 32 random bytes and is known to nobody else. */
export function createRefreshTokens(key: Uint8Array): RefreshTokens {
  const proofOf = ({ sessionId, generation }: RefreshTokenPlace): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['refresh token', 1, sessionId, generation]))
      .digest()
  return {
    tokenOf: (place) => `${place.sessionId}.${place.generation}.${proofOf(place).toString('base64url')}`,
    read(token) {
      const match = form.exec(token)
      if (!match) return undefined
      const [, sessionId = '', generation = '', proof = ''] = match
      const place = { sessionId, generation: Number(generation) }
      const given = Buffer.from(proof, 'base64url')
      const isOwn = given.length === 32 && timingSafeEqual(given, proofOf(place))
      // One token, one spelling: neither another spelling of the number nor of the last character counts.
      return isOwn && String(place.generation) === generation && given.toString('base64url') === proof ? place : undefined
    },
  }
}
