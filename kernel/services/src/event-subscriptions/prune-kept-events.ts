import { deleteOlder } from '@agent-service/kernel-core/database/collections'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { KeptEvents } from './kept-events.js'
import type { Registrations } from './registrations.js'
import type { SubscriptionCounts } from './subscription-counts.js'
import { setAsideCollection } from './subscription-records.js'

/** How long an event that could not be handled is kept for inspection. */
const setAsideMs = 30 * 24 * 3_600_000
/** Events per transaction. */
const atOnce = 100

interface Waiting {
  readonly id: string
  readonly userId: string
  readonly at: number
  readonly isGap: boolean
}

/**
 * Applies the limits of every subscription: events that are too old or too many become a gap;
 * events without a subscription are deleted.
 */
export async function pruneKeptEvents(
  dependencies: {
    readonly database: Database
    readonly clock: Clock
    readonly kept: KeptEvents
    readonly registrations: Registrations
    readonly counts: SubscriptionCounts
  },
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, kept, registrations, counts } = dependencies
  await registrations.expire()
  const to = new Date(clock.now() - setAsideMs).toISOString()
  await deleteOlder({ database, collection: setAsideCollection, index: 'by_time', to, signal })
  const waiting = await waitingBySubscription(kept, signal)
  for (const [subscription, records] of waiting) {
    const registration = registrations.get(subscription)
    if (!registration || registration.expired_at !== null) {
      for (const ids of inParts(records.map(({ id }) => id))) await kept.release(subscription, ids)
      continue
    }
    const events = records.filter(({ isGap }) => !isGap)
    const oldest = clock.now() - registration.max_age_seconds * 1000
    const surplus = events.length - registration.max_events
    const dropped = events.filter(({ at }, index) => at < oldest || index < surplus)
    for (const [userId, ids] of byUser(dropped)) {
      for (const part of inParts(ids)) {
        signal.throwIfAborted()
        counts.dropped(subscription, await kept.drop(userId, subscription, part))
      }
    }
  }
}

/** The oldest first. */
async function waitingBySubscription(kept: KeptEvents, signal: AbortSignal): Promise<ReadonlyMap<string, readonly Waiting[]>> {
  const waiting = new Map<string, Waiting[]>()
  for await (const record of kept.all({ signal })) {
    for (const subscription of record.pending) {
      const events = waiting.get(subscription) ?? []
      events.push({ id: record.id, userId: record.user_id, at: Date.parse(record.recorded_at), isGap: record.kind === 'gap' })
      waiting.set(subscription, events)
    }
  }
  return waiting
}

function byUser(events: readonly Waiting[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  for (const { id, userId } of events) {
    const ids = users.get(userId) ?? []
    ids.push(id)
    users.set(userId, ids)
  }
  return users
}

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += atOnce) yield ids.slice(start, start + atOnce)
}
