import { allOf } from '@agent-service/kernel-core/database/collections'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { SubscriptionOptions } from './subscription-options.js'
import { type SubscriptionRecord, subscriptionCollection } from './subscription-records.js'

/** The registered subscriptions, whether or not their plugins run. */
export interface Registrations {
  /** The ids of those for events of this type. */
  subscribersOf(name: string): readonly string[]
  get(id: string): SubscriptionRecord | undefined
  /** Stores that a subscription is active. */
  register(id: string, options: SubscriptionOptions): Promise<void>
  /** Stores that the handler has been informed of missing events. */
  clearMissed(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** The ids of all subscriptions of a plugin, also of one that does not run. */
  idsOf(pluginId: string): readonly string[]
  /**
   * Stores a subscription under another id. What waited for the old id is dropped; the handler is
   * informed that events may be missing.
   */
  rename(id: string, to: string): Promise<void>
  /** Reads the registrations of other processes. */
  refresh(): Promise<void>
  /** Stores, at most once an hour, that this process has a subscription. */
  touch(id: string): Promise<void>
  /** Expires those that no process has had for two hours longer than they keep events. */
  expire(): Promise<void>
}

/** How often a process stores that it has a subscription. */
const seenIntervalMs = 3_600_000

export const registrationsToken: InjectionToken<Registrations> = Symbol('event-registrations')

/** Opens them: reads the stored registrations. */
export async function openRegistrations(dependencies: { readonly database: Database; readonly clock: Clock }): Promise<Registrations> {
  const { database, clock } = dependencies
  const stored = database.collection(subscriptionCollection)
  let records = new Map<string, SubscriptionRecord>()
  let byName = new Map<string, readonly string[]>()

  const take = (next: Map<string, SubscriptionRecord>): void => {
    const wanted = new Map<string, string[]>()
    for (const { id, names, expired_at } of next.values()) {
      if (expired_at !== null) continue
      for (const name of names) wanted.set(name, [...(wanted.get(name) ?? []), id])
    }
    records = next
    byName = wanted
  }
  const timestamp = (): string => new Date(clock.now()).toISOString()

  const refresh = async (): Promise<void> => {
    const found = new Map<string, SubscriptionRecord>()
    for await (const record of allOf(stored, { index: 'by_registration' })) found.set(record.id, record)
    take(found)
  }
  const change = async (id: string, next: (known: SubscriptionRecord | undefined) => SubscriptionRecord | undefined): Promise<void> => {
    const after = await database.transaction(async (transaction) => {
      const before = await transaction.get(subscriptionCollection, id)
      const changed = next(before)
      if (changed) transaction.put(subscriptionCollection, changed)
      return changed ?? before
    })
    const copy = new Map(records)
    if (after) copy.set(id, after)
    take(copy)
  }

  await refresh()
  return {
    subscribersOf: (name) => byName.get(name) ?? [],
    get: (id) => records.get(id),
    refresh,
    async register(id, { names, maxAgeSeconds, maxEvents }) {
      const now = timestamp()
      await change(id, (known) => ({
        id,
        names,
        max_age_seconds: maxAgeSeconds,
        max_events: maxEvents,
        registered_at: known?.registered_at ?? now,
        seen_at: now,
        expired_at: null,
        missed_since: known?.missed_since ?? known?.expired_at ?? null,
      }))
    },
    async clearMissed(id) {
      await change(id, (known) => known && { ...known, missed_since: null })
    },
    async remove(id) {
      await stored.delete(id)
      const copy = new Map(records)
      copy.delete(id)
      take(copy)
    },
    idsOf: (pluginId) => [...records.keys()].filter((id) => id.startsWith(`${pluginId}/`)),
    async rename(id, to) {
      await database.transaction(async (transaction) => {
        const known = await transaction.get(subscriptionCollection, id)
        if (known === undefined) return
        const missedSince = known.missed_since ?? known.expired_at ?? known.seen_at
        if (!(await transaction.get(subscriptionCollection, to)))
          transaction.insert(subscriptionCollection, { ...known, id: to, missed_since: missedSince })
        transaction.delete(subscriptionCollection, id)
      })
      await refresh()
    },
    async touch(id) {
      const known = records.get(id)
      if (known && clock.now() - Date.parse(known.seen_at) >= seenIntervalMs)
        await change(id, (current) => current && { ...current, seen_at: timestamp() })
    },
    async expire() {
      const now = clock.now()
      const isUnseen = ({ seen_at, max_age_seconds }: SubscriptionRecord): boolean =>
        now - Date.parse(seen_at) > max_age_seconds * 1000 + 2 * seenIntervalMs
      for (const record of records.values()) {
        if (record.expired_at === null && isUnseen(record))
          await change(record.id, (known) => (known && isUnseen(known) ? { ...known, expired_at: known.seen_at } : undefined))
      }
    },
  }
}
