import { hmacOf, isRecent, isSignedBy } from '@agent-service/sdk/channels'

/** A body with the header that says who has sent it. */
export interface Signed {
  readonly secret: string
  readonly body: Uint8Array
  /** Milliseconds since 1970. */
  readonly now: number
}

/** `t=<seconds>,v1=<HMAC-SHA-256 of “seconds.body” in hex>`. */
export function signatureOf({ secret, body, now }: Signed): string {
  const time = String(Math.floor(now / 1_000))
  return `t=${time},v1=${hmacOf({ secret, parts: [`${time}.`, body] })}`
}

/**
 * Whether a header signs a body within five minutes of now. It may have several `v1`, while one secret
 * takes the place of another.
 */
export function isSigned(header: string | undefined, { secret, body, now }: Signed): boolean {
  const parts = (header ?? '').slice(0, 2_000).split(',')
  const valuesOf = (name: string): readonly string[] =>
    parts.map((part) => part.trim()).flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))
  const [time, ...others] = valuesOf('t')
  if (time === undefined || others.length > 0 || !isRecent(time, { now })) return false
  return valuesOf('v1')
    .slice(0, 5)
    .some((given) => isSignedBy({ secret, parts: [`${time}.`, body], given }))
}
