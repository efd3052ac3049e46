import type { CryptoKey, JWTHeaderParameters, JWTPayload, JWTVerifyOptions, KeyObject } from 'jose'
import { jwtVerify } from 'jose/jwt/verify'

/** The longest token that is parsed, in characters. */
const maxTokenLength = 8192

/** Three parts of base64url: no padding, no white space, nothing that lenient decoders ignore. */
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/**
 * Whether a text can be a token. A part whose last character has unused bits set is another
 * spelling of the same token, and is refused.
 */
export function isCompactToken(text: string): boolean {
  if (text.length > maxTokenLength || !compactForm.test(text)) return false
  return text.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/**
 * Verifies a signed token: one algorithm, its key found by `kid` alone, header parameters that
 * bring their own keys ignored.
 * @throws an error of jose, or a `TypeError` for a text without the form of a token.
 */
export async function verifyStrictToken(
  token: string,
  options: {
    readonly algorithm: string
    readonly keyOf: (kid: string | undefined) => Promise<CryptoKey | KeyObject | Uint8Array>
    readonly claims: JWTVerifyOptions
  },
): Promise<JWTPayload> {
  if (!isCompactToken(token)) throw new TypeError('This does not have the form of a signed token.')
  const result = await jwtVerify(token, (header: JWTHeaderParameters) => options.keyOf(header.kid), {
    ...options.claims,
    algorithms: [options.algorithm],
  })
  return result.payload
}
