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
  /** Whose stream it goes to. Nobody else ever sees it. */
  readonly userId: string
  /** Names that end in `.delta` are published, all others recorded. */
  readonly name: EventName
  /** What a client reads. Without secrets, and small: it is kept and sent to every open stream of the user. */
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
   * A number at or above that of the newest event published to this user, and below that of every later one. A client that reads a state and
   * then resumes a stream `after` a position that was taken before the reading misses nothing. Answers at once.
   */
  position(userId: string): number
}

/** The users' streams. Provided by the kernel. */
export const eventsService = defineServiceReference<Events>()('kernel.events')
