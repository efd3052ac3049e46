import type { JsonValue } from '@agent-service/sdk'
import type { MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import { defineCollection } from '@agent-service/sdk/services/database'

/** The stages of a pass, in order. */
export const stages = ['extract', 'classify', 'resolve', 'reconcile', 'author', 'adjudicate', 'commit'] as const
export type Stage = (typeof stages)[number]

/** How far a chat was read. */
export interface ChatCursor {
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  /** The sequence of the first message that was not read. */
  readonly through: number
  /** The last messages of earlier passes: where another branch leaves the one that was read. */
  readonly marks: readonly { readonly sequence: number; readonly message_id: string }[]
  readonly last_activity_at: string
  /** There may be something to read. */
  readonly pending: boolean
  readonly excluded: boolean
  /** Nothing that was said until then is learnt. */
  readonly learn_after: string | null
  /** Of the last change of `excluded`: later reports of earlier changes do not count. */
  readonly decided_at: string | null
  readonly deleted: boolean
}

export const cursorCollection = defineCollection<ChatCursor>()({
  name: 'memory_pkm.cursors',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_pending: { fields: ['user_id', 'pending', 'last_activity_at'] },
  },
})

/** When a user has work to do. */
export interface QueueEntry {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  readonly due_at: string
}

export const queueCollection = defineCollection<QueueEntry>()({
  name: 'memory_pkm.queue',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] }, by_due: { fields: ['due_at'] } },
})

export type PassState = 'running' | 'waiting' | 'done' | 'abandoned' | 'failed'

/** One pass over a part of a chat. The messages from `from` to before `to` are fixed at its begin. */
export interface ConsolidationPass {
  readonly id: string
  readonly user_id: string
  /** The id for others. */
  readonly pass_id: string
  readonly chat_id: string
  readonly agent_id: string
  readonly scope: MemoryScope
  readonly from: number
  readonly to: number
  readonly last_message_id: string
  /** The time of the last message: what the pass learns was learnt then. */
  readonly at: string
  /** Messages until then are not learnt from. */
  readonly learn_after: string | null
  readonly state: PassState
  /** True while it is running or waiting, else null. */
  readonly open: true | null
  readonly stage: Stage
  /** How often this stage has failed. */
  readonly failures: number
  /** How often the pass went back to the stage after extraction. */
  readonly resets: number
  readonly next_attempt_at: string | null
  readonly error: string | null
  readonly outcome: 'committed' | 'nothing_to_do' | 'dropped' | null
  readonly started_at: string
  readonly finished_at: string | null
}

export const passCollection = defineCollection<ConsolidationPass>()({
  name: 'memory_pkm.passes',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'started_at'] },
    by_open: { fields: ['user_id', 'open', 'started_at'] },
  },
})

/** The result of a stage, or of one part of it. */
export interface Checkpoint {
  /** Of the document: pass and place. */
  readonly id: string
  readonly user_id: string
  readonly pass_id: string
  /** `extract`, or a part: `extract.0`. */
  readonly place: string
  readonly stage: Stage
  /** What it was made from: another key makes it useless. */
  readonly key: string
  readonly result: JsonValue
}

export const checkpointCollection = defineCollection<Checkpoint>()({
  name: 'memory_pkm.checkpoints',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'pass_id', 'place'] } },
})
