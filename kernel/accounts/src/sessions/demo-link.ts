import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'

/** How long a link can be used, in milliseconds. */
export const demoLinkLifetimeMs = 10 * 60 * 1000

/** The secret of the one link that signs in to the demo. Only its hash is kept, in memory. */
export interface DemoLink {
  /** A new secret of 256 random bits; the previous one is void. */
  issue(): string
  /** Whether this is the secret, in time and for the first time. It is void then. */
  redeem(secret: string): boolean
}

export function createDemoLink(clock: Pick<Clock, 'monotonic'>): DemoLink {
  let open: { readonly hash: string; readonly endsAt: number } | undefined
  return {
    issue() {
      const secret = randomBytes(32).toString('base64url')
      open = { hash: hashOf(secret), endsAt: clock.monotonic() + demoLinkLifetimeMs }
      return secret
    },
    redeem(secret) {
      // Hashes are compared, so the time of the comparison says nothing about the secret.
      if (open === undefined || open.hash !== hashOf(secret)) return false
      const isInTime = clock.monotonic() < open.endsAt
      open = undefined
      return isInTime
    },
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex')
