import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { Transaction } from './database.js'

/** The names of all events that a user's stream may carry. */
export type EventName =
  | 'run.started'
  | 'text.delta'
  | 'reasoning.delta'
  | 'tool_call.started'
  | 'tool_call.delta'
  | 'tool_call.finished'
  | 'approval.requested'
  | 'approval.resolved'
  | 'run.retrying'
  | 'run.fallback'
  | 'run.waiting'
  | 'run.completed'
  | 'run.failed'
  | 'run.cancelled'
  | 'message.created'
  | 'message.updated'
  | 'chat.updated'
  | 'task.updated'
  | 'notification.created'
  | 'usage.recorded'

/** One event of one user. `data` names its `chat_id` and `run_id` where it has them. */
export interface EventInput {
  readonly userId: string
  readonly name: EventName
  readonly data: JsonObject
}

/**
 * The users' streams. *State* events are part of the change that they report: written in its transaction, published after its commit, in commit
 * order, and kept for a while. *Delta* events live in memory and may be lost; whoever sends them keeps what they add up to.
 */
export interface Events {
  /** Writes a state event with the transaction. It is published once the transaction has committed. */
  record(transaction: Transaction, event: EventInput): void
  /** Publishes a delta now, behind every event published before. Returns its number. Names end in `.delta`. */
  publishDelta(event: EventInput): number
  /**
   * The number of the newest event that was published to this user. Whoever reads a state and then this number, or this number and then the
   * state, knows that a stream resumed `after` the smaller moment misses nothing. Take it before reading the state.
   */
  position(userId: string): number
}

export const eventsService = defineServiceReference<Events>('kernel.events')
