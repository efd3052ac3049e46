import type { Transaction } from '@agent-service/sdk/services/database'
import type { EventInput } from '@agent-service/sdk/services/events'

/** Who wants state events beside the streams, and keeps them as long as it needs to. */
export interface EventOutbox {
  /** Called while the transaction runs, with the event's place among those of its commit: what is kept is written with it. Never waits. */
  keep(transaction: Transaction, event: EventInput, position: number): void
  /** Called behind the commit, in commit order. Never waits, never throws. */
  committed(events: readonly EventInput[]): void
}
