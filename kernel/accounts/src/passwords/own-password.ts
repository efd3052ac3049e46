import { rateLimitedError } from '@agent-service/kernel-core/http'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserRecord } from '../records/records.js'
import { type LoginThrottle, maxWaitMs } from './login-throttle.js'
import type { PasswordHasher } from './password-hasher.js'

/** The present password of an account, asked of somebody who has a session of it. */
export interface OwnPassword {
  /**
   * Whether it fits. Without a local password it is false, after the same time. Whoever has only the session learns no password by trying: all attempts
   * at one account, whatever they are for, wait in one line as those of signing in do.
   * @throws `rate_limited` when it would wait too long, `sign_in_busy`.
   */
  fits(user: UserRecord, password: string, signal: AbortSignal): Promise<boolean>
}

/** Makes the check. The pace is its own: strangers who guess at the name must not hold its owner up. */
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
        throw rateLimitedError.create({ what: 'attempts at the present password' }, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      const fits = await hasher.verify(user.password_hash, password)
      if (waitMs > 0) await clock.wait(waitMs, { signal })
      if (fits) loginThrottle.forget(user.id)
      return fits
    },
  }
}
