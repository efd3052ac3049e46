import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'

/** A signature that came with a request. */
export interface GivenSignature {
  /** The secret that the vendor and the connection share. */
  readonly secret: string
  /** What is signed, one after the other: the raw bytes of a body, and what the vendor puts around them. */
  readonly parts: readonly (string | Uint8Array)[]
  /** What the request says, without a prefix such as `v0=`. Undefined: it has none. */
  readonly given: string | undefined
  /** Default `sha256`. */
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512'
  /** How `given` is written. Default `hex`, in any case. */
  readonly encoding?: 'hex' | 'base64'
}

/** The HMAC of parts, one after the other. */
export function hmacOf({ secret, parts, algorithm = 'sha256', encoding = 'hex' }: Omit<GivenSignature, 'given'>): string {
  const hmac = createHmac(algorithm, secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest(encoding)
}

/**
 * Whether a request is signed with the secret: compared in a time that does not depend on what was
 * given. False for an empty secret, which would let every program in.
 */
export function isSignedBy({ given, ...signed }: GivenSignature): boolean {
  if (given === undefined || signed.secret === '') return false
  return isSameSecret(signed.encoding === 'base64' ? given : given.toLowerCase(), hmacOf(signed))
}

/**
 * Whether two texts are the same, for tokens that a vendor repeats in each request: in a time that
 * does not depend on where they differ. False where the expected one is empty.
 */
export function isSameSecret(given: string | undefined, expected: string): boolean {
  if (given === undefined || expected === '') return false
  const [one, other] = [given, expected].map((text) => createHmac('sha256', 'compared').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/** Whether the parts are signed with the private key of a raw Ed25519 public key, both in hex. */
export function isSignedByKey(signature: {
  readonly publicKey: string
  readonly parts: readonly (string | Uint8Array)[]
  readonly given: string | undefined
}): boolean {
  const { publicKey, parts, given = '' } = signature
  if (!/^[0-9a-f]{64}$/i.test(publicKey) || !/^[0-9a-f]{128}$/i.test(given)) return false
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(
      null,
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
      key,
      Buffer.from(given, 'hex'),
    )
  } catch {
    // Not every 32 bytes are a key; whatever is signed with such a one is not signed.
    return false
  }
}

/**
 * Whether the time that a request says is within a window around now, 5 minutes by default: a copy
 * that is sent again later is refused. In seconds since 1970, as it was written; false if it is no
 * number.
 */
export function isRecent(
  seconds: string | undefined,
  { now, windowMs = 300_000 }: { readonly now: number; readonly windowMs?: number },
): boolean {
  return seconds !== undefined && /^\d{1,12}(?:\.\d{1,9})?$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now) <= windowMs
}
