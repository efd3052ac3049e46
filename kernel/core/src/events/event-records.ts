import type { JsonObject } from '@agent-service/sdk'
import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A stored state event. Its number derives from the revision of its commit and `position`. */
export interface EventRecord {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly data: JsonObject
  /** Its index among the events of its commit, from 0. */
  readonly position: number
  readonly recorded_at: string
}

/** The start of a user's stored events: every state event with a larger number is stored. */
export interface EventFloorRecord {
  /** The user's id. */
  readonly id: string
  readonly user_id: string
  readonly floor: number
}

/** State that one process leaves for the next. */
export type EventStateRecord =
  | {
      readonly id: 'boot'
      readonly booted_at: string
      /**
       * How long that process kept events. With 0 it stored none, so its events cannot be resumed.
       */
      readonly retention_seconds: number
      /** No user's events up to this number can be resumed. */
      readonly floor: number
    }
  | { readonly id: 'reservation'; readonly reserved_at: string }

export const storedEvents = defineCollection<EventRecord>()({
  name: 'kernel.events',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] }, by_time: { fields: ['recorded_at'] } },
})

export const eventFloors = defineCollection<EventFloorRecord>()({
  name: 'kernel.event_floors',
  version: 1,
  userField: 'user_id',
  indexes: {},
})

export const eventState = defineCollection<EventStateRecord>()({ name: 'kernel.event_state', version: 1, indexes: {} })

/** Every collection of events, for the kernel's `openFor`. */
export const eventCollections: readonly CollectionDefinition[] = [storedEvents, eventFloors, eventState]
