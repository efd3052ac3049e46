import { rateLimitedError } from '@agent-service/kernel-core/http'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserRecord } from '../records/records.js'
import { type LoginThrottle, maxWaitMs } from './login-throttle.js'
import type { PasswordHasher } from './password-hasher.js'

/** Checks the current password of an account for a caller with a session. */
export interface OwnPassword {
  /**
   * Whether the password is right. Without a local password it is false, after the same time. A
   * caller with only the session cannot guess the password: all attempts at one account, for any
   * purpose, are delayed together, as those of signing in are.
   * @throws `rate_limited` if it would wait too long, `sign_in_busy`.
   */
  fits(user: UserRecord, password: string, signal: AbortSignal): Promise<boolean>
}

/** Needs its own throttle: strangers who guess at the name must not delay its owner. */
export function createOwnPassword(dependencies: {
  readonly hasher: PasswordHasher
  readonly clock: Clock
  readonly loginThrottle: LoginThrottle
}): OwnPassword {
  const { hasher, clock, loginThrottle } = dependencies
  return {
    async fits(user, password, signal) {
      const waitMs = loginThrottle.take(user.id)
      if (waitMs > maxWaitMs)
        throw rateLimitedError.create({ what: 'attempts at the current password' }, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      const fits = await hasher.verify(user.password_hash, password)
      if (waitMs > 0) await clock.wait(waitMs, { signal })
      if (fits) loginThrottle.forget(user.id)
      return fits
    },
  }
}
