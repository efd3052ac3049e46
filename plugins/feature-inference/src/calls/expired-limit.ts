import type { ServiceError } from '@agent-service/sdk'
import { type ExpiredWait, type ModelTimeouts, providerError } from '@agent-service/sdk/contracts/provider-adapter'

const limits: Readonly<Record<ExpiredWait, { readonly setting: string; readonly of: keyof ModelTimeouts }>> = {
  connect: { setting: 'connect_secs', of: 'connectMs' },
  first_token: { setting: 'first_token_secs', of: 'firstTokenMs' },
  idle: { setting: 'idle_secs', of: 'idleMs' },
  total: { setting: 'total_secs', of: 'totalMs' },
}

/** The limit that a time-out has passed; `undefined` for any other failure. */
const expiredWaitOf = (failure: ServiceError): ExpiredWait | undefined =>
  providerError.isInstance(failure) ? (failure.details['expiredWait'] as ExpiredWait | undefined) : undefined

/** A time-out names the setting whose limit it has passed, since the adapter does not know it. Any other failure stays as it is. */
export function namingLimit(failure: ServiceError, timeouts: ModelTimeouts): ServiceError {
  const wait = expiredWaitOf(failure)
  if (wait === undefined) return failure
  const { setting, of } = limits[wait]
  const details = failure.details as Parameters<typeof providerError.create>[0]
  const advice = `The limit is inference.timeouts.${setting}, ${timeouts[of] / 1_000} s; raise it if this model needs longer.`
  return providerError.create({ ...details, reason: `${details.reason} ${advice}` }, { cause: failure })
}

/**
 * Whether the whole time of a call passed in vain: before the first part of an answer came, or in total. The same call would begin from the
 * start and most likely take as long, with a busy machine all the time.
 */
export const isSlow = (failure: ServiceError): boolean => {
  const wait = expiredWaitOf(failure)
  return wait === 'first_token' || wait === 'total'
}
