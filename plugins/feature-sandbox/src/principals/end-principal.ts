import type { Logger } from '@agent-service/sdk'
import { sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { DriverSlot } from '../drivers/driver-slot.js'
import type { Execution } from '../executions/execution.js'
import type { PrincipalRecord, PrincipalRecords } from './principal-records.js'

/** Ends everything of a principal that is no more, and releases what the driver keeps of it. */
export type EndPrincipal = (record: Pick<PrincipalRecord, 'id'>, signal: AbortSignal) => Promise<void>

export function createEndPrincipal(dependencies: {
  readonly running: () => readonly Execution[]
  readonly slot: Pick<DriverSlot, 'acquire'>
  readonly records: PrincipalRecords
  readonly log: Logger
}): EndPrincipal {
  const { running, slot, records, log } = dependencies
  return async ({ id }, signal) => {
    const own = running().filter(({ principal }) => principal === id)
    await Promise.all(own.map((execution) => execution.stop()))
    try {
      const lease = await slot.acquire()
      try {
        await lease.value.forget(id, { signal: AbortSignal.any([signal, lease.signal]) })
      } finally {
        lease.release()
      }
    } catch (error) {
      // Without a driver there is nothing to release.
      if (!sandboxUnavailableError.isInstance(error)) throw error
      log.debug('No driver had to release a principal.', { principal: id })
    }
    await records.remove(id)
  }
}
