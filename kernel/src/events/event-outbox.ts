import type { Transaction } from '@agent-service/sdk/services/database'
import type { EventInput } from '@agent-service/sdk/services/events'
import type { InjectionToken } from 'tsyringe'

/** Keeps state events beside the streams, for as long as subscriptions need them. */
export interface EventOutbox {
  /** Called while the transaction runs, with the event's place among those of its commit: what is kept is written with it. Never waits. */
  keep(transaction: Transaction, event: EventInput, position: number): void
  /** Called behind the commit, in commit order. Never waits, never throws. */
  committed(events: readonly EventInput[]): void
}

export const eventOutboxToken: InjectionToken<EventOutbox> = Symbol('event-outbox')
