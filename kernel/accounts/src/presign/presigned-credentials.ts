import { createHash, timingSafeEqual } from 'node:crypto'
import type { PresignedRequest } from '@agent-service/kernel-core/http'
import type { Clock } from '@agent-service/sdk/services/clock'
import { createSignedTokens, type SignedToken } from '../keys/signed-tokens.js'
import type { SigningKeys } from '../keys/signing-keys.js'

/** The methods of pre-signed URLs. One for GET also permits HEAD. */
export type PresignMethod = 'GET' | 'HEAD'

/** The claims of a pre-signed URL. */
export interface PresignedClaims {
  readonly userId: string
  /** The id of the URL. */
  readonly id: string
  readonly sessionEpoch: number
  readonly presignEpoch: number
  /**
   * The personal access token, or the grant of the ephemeral token, that created it: the URL ends
   * with that.
   */
  readonly madeWith?: { readonly kind: 'access_token' | 'ephemeral_token'; readonly id: string }
}

/**
 * Signs and verifies the tokens in pre-signed URLs. Whether owner and URL are still valid is not in
 * the token.
 */
export interface PresignedCredentials {
  /** `target` is everything before the parameter, byte for byte: path and query. */
  sign(claims: PresignedClaims, request: { readonly method: PresignMethod; readonly target: string }, seconds: number): Promise<SignedToken>
  verify(request: PresignedRequest): Promise<{ readonly claims: PresignedClaims; readonly expiresAt: number } | { readonly reason: string }>
}

export function createPresignedCredentials(dependencies: {
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly issuer: () => string
}): PresignedCredentials {
  const tokens = createSignedTokens(
    { headerType: 'presign+jwt', claim: 'presign', audience: 'agent-service:presign', skew: false },
    dependencies,
  )
  return {
    sign({ userId, id, sessionEpoch, presignEpoch, madeWith }, { method, target }, seconds) {
      return tokens.sign({ userId, tokenId: id }, seconds, {
        ...{ epoch: sessionEpoch, presign_epoch: presignEpoch, method, target: digestOf(target).toString('base64url') },
        ...(madeWith === undefined ? {} : { by: madeWith.kind, by_id: madeWith.id }),
      })
    },
    async verify({ method, target, token }) {
      const result = await tokens.verify(token)
      if ('reason' in result) return result
      const { userId, tokenId: id, expiresAt, more } = result.claims
      const { epoch: sessionEpoch, presign_epoch: presignEpoch, by, by_id } = more as { readonly [claim: string]: unknown }
      const isMadeBySession = by === undefined && by_id === undefined
      if (typeof sessionEpoch !== 'number' || typeof presignEpoch !== 'number' || !(isMadeBySession || isMakerKind(by)))
        return { reason: 'a claim has the wrong type' }
      if (!(method === more['method'] || (method === 'HEAD' && more['method'] === 'GET'))) return { reason: 'it is for another method' }
      const signed = Buffer.from(String(more['target']), 'base64url')
      const asked = digestOf(target)
      if (signed.length !== asked.length || !timingSafeEqual(signed, asked)) return { reason: 'it is for another target' }
      return {
        claims: { userId, id, sessionEpoch, presignEpoch, ...(isMakerKind(by) ? { madeWith: { kind: by, id: String(by_id) } } : {}) },
        expiresAt,
      }
    },
  }
}

const isMakerKind = (by: unknown): by is 'access_token' | 'ephemeral_token' => by === 'access_token' || by === 'ephemeral_token'

const digestOf = (target: string): Buffer => createHash('sha256').update(target, 'utf8').digest()
