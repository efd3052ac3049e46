import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { KernelDatabase } from '../database/open/kernel-database.js'
import { eventNumber } from './event-numbers.js'
import { type EventStateRecord, eventState } from './event-records.js'

/** The start position of a process. All its event numbers are above all earlier ones. */
export interface BootedEvents {
  /** Of the boot's commit. */
  readonly revision: number
  /** No user's events up to this number can be resumed. */
  readonly floor: number
}

export const bootedEventsToken: InjectionToken<BootedEvents> = Symbol('booted-events')

type BootState = Extract<EventStateRecord, { readonly id: 'boot' }>

/**
 * Makes the boot's commit. Events that a process published without storing them cannot be resumed
 * in the next process, even if that one stores events again.
 */
export async function bootEvents(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  /** `server.sse_pending_events_secs`. */
  readonly retentionSeconds: number
}): Promise<BootedEvents> {
  const { database, kernelDatabase, clock, retentionSeconds } = dependencies
  const booted_at = new Date(clock.now()).toISOString()
  const commit = async (change: (before: BootState | undefined) => Omit<BootState, 'id' | 'booted_at'>) => {
    let revision = 0
    const state = await database.transaction(async (transaction) => {
      const before = await transaction.get(eventState, 'boot')
      const next: BootState = { id: 'boot', booted_at, ...change(before?.id === 'boot' ? before : undefined) }
      transaction.put(eventState, next)
      kernelDatabase.kernelView(transaction).afterCommit((committed) => {
        revision = committed
      })
      return next
    })
    return { ...state, revision }
  }
  const first = await commit((before) => ({
    retention_seconds: before?.retention_seconds === 0 ? 0 : retentionSeconds,
    floor: before?.floor ?? 0,
  }))
  if (first.retention_seconds === retentionSeconds) return first
  return commit(() => ({ retention_seconds: retentionSeconds, floor: eventNumber(first.revision, 0) }))
}
