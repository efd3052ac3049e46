import { abortable } from '@agent-service/sdk/async'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/**
 * Waits right after a start until the plugins with adapters run or have failed to, so that no call
 * that an earlier process left fails for want of one. Undefined: there is nothing to wait for.
 */
export type AdaptersSettled = (signal: AbortSignal) => Promise<void> | undefined

export function createAdaptersSettled(contributions: Pick<Contributions, 'settled'>): AdaptersSettled {
  let areSettled = false
  const settled = contributions.settled(providerAdapters).then(() => {
    areSettled = true
  })
  return (signal) => (areSettled ? undefined : abortable(settled, signal))
}
