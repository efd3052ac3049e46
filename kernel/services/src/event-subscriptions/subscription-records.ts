import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A registered subscription. It stays while its plugin does not run. */
export interface SubscriptionRecord {
  /** `<plugin>/<id>`. */
  readonly id: string
  readonly names: readonly string[]
  readonly max_age_seconds: number
  readonly max_events: number
  readonly registered_at: string
  /** When it was last known to be active. */
  readonly seen_at: string
  /** When it expired because it was inactive for too long: no events are kept for it since then. */
  readonly expired_at: string | null
  /** Since then events may be missing, and the handler has not been informed. */
  readonly missed_since: string | null
}

interface Kept {
  readonly id: string
  readonly user_id: string
  readonly recorded_at: string
  /** Subscriptions that have not acknowledged it; never empty. */
  readonly pending: readonly string[]
  /** By subscription, how often it failed. */
  readonly attempts: Readonly<Record<string, number>>
  /**
   * Its number in commit order, once it has been rewritten; until then the number derives from its
   * revision.
   */
  readonly number: number | null
}

/** An event that waits for subscriptions, one record for all of them. */
export interface KeptEvent extends Kept {
  readonly kind: 'event'
  readonly name: string
  readonly data: JsonObject
  /** Its index among the events of its commit. */
  readonly position: number
}

/** The events that one subscription has lost. */
export interface KeptGap extends Kept {
  readonly kind: 'gap'
  readonly lost: number
  readonly number: number
}

export type KeptRecord = KeptEvent | KeptGap

/** An event that could not be handled, kept for inspection. */
export interface SetAsideRecord {
  readonly id: string
  readonly user_id: string
  readonly subscription: string
  readonly event_id: string
  readonly name: string
  readonly data: JsonObject
  readonly attempts: number
  readonly error: string
  readonly recorded_at: string
  readonly set_aside_at: string
}

export const subscriptionCollection = defineCollection<SubscriptionRecord>()({
  name: 'kernel.event_subscriptions',
  version: 1,
  indexes: { by_registration: { fields: ['registered_at'] } },
})

export const keptCollection = defineCollection<KeptRecord>()({
  name: 'kernel.kept_events',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] }, by_time: { fields: ['recorded_at'] } },
})

export const setAsideCollection = defineCollection<SetAsideRecord>()({
  name: 'kernel.set_aside_events',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] }, by_time: { fields: ['set_aside_at'] } },
})

/** Every collection of subscriptions, for the kernel's `openFor`. */
export const subscriptionCollections: readonly CollectionDefinition[] = [subscriptionCollection, keptCollection, setAsideCollection]
