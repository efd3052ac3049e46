import type { ModelUsage, StopReason, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { MadeFile } from '../chats/made-file.js'

/** A tool call that a model asked for, as a step records it. The arguments are in the message. */
export type PlannedCall = {
  readonly call_id: string
  readonly name: string
  readonly arguments_hash: string
  /** The index of the part in the message. */
  readonly part: number
}

/** Why messages are summarised. */
export type CompactionReason = 'budget' | 'overflow'

/**
 * How a question to a person ended. `withdrawn`: the run ended, or the person wrote a message
 * instead.
 */
export type ApprovalOutcome = 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn'

/**
 * An entry of the append-only log of a run. A step is written once, before the action that it
 * announces or after the one that it records.
 */
export type RunStepBody =
  | { readonly type: 'run.started' }
  | {
      readonly type: 'model.requested'
      readonly turn: number
      readonly message_id: string
      readonly request_hash: string
      readonly with_tools: boolean
    }
  | {
      readonly type: 'model.completed'
      readonly turn: number
      readonly message_id: string
      readonly stop_reason: StopReason
      readonly usage: ModelUsage
      readonly provider: string
      readonly model: string
    }
  | { readonly type: 'model.failed'; readonly turn: number; readonly message_id: string; readonly code: string; readonly message: string }
  /**
   * The vendor refused the request as too long; a shorter one is sent for the same message. Steps of
   * earlier versions have no `message`, which has the vendor's words.
   */
  | { readonly type: 'model.overflowed'; readonly turn: number; readonly message_id: string; readonly message?: string }
  /**
   * A summary of older messages is about to be written: `budget`, before the call of this turn;
   * `overflow`, because the vendor refused the call.
   */
  | { readonly type: 'context.compacting'; readonly turn: number; readonly reason: CompactionReason }
  | { readonly type: 'context.compacted'; readonly turn: number; readonly reason: CompactionReason; readonly summary_id: string }
  /** No summary could be written; the turn continues without one. */
  | { readonly type: 'context.kept'; readonly turn: number; readonly reason: CompactionReason; readonly code: string }
  /**
   * The final answer does not have the requested form. The message `message_id` states the problems
   * to the model, and the next call answers it.
   */
  | { readonly type: 'result.refused'; readonly turn: number; readonly message_id: string; readonly problems: string }
  /** A person's messages to the run, which the next model call sees. */
  | { readonly type: 'input.taken'; readonly message_ids: readonly string[] }
  | ({ readonly type: 'tool.planned'; readonly turn: number; readonly message_id: string } & PlannedCall)
  /** A person was asked about this call, which does not begin before their answer. */
  | { readonly type: 'approval.requested'; readonly call_id: string; readonly kind: 'approval' | 'question' }
  | {
      readonly type: 'approval.resolved'
      readonly call_id: string
      readonly outcome: ApprovalOutcome
      /** The person's note: a reason, or the answer to a question. */
      readonly note: string | null
    }
  | { readonly type: 'tool.started'; readonly call_id: string; readonly name: string }
  | {
      readonly type: 'tool.completed'
      readonly call_id: string
      readonly result: ToolResultPart
      /** What the call made or changed. Absent: nothing. */
      readonly files?: readonly MadeFile[]
    }
  | { readonly type: 'tools.answered'; readonly turn: number; readonly message_id: string }
  | { readonly type: 'run.finished'; readonly status: 'completed' | 'failed' | 'cancelled'; readonly code: string | null }

/** One stored step. */
export type RunStep = {
  readonly id: string
  readonly run_id: string
  readonly user_id: string
  /** From 0, without gaps. */
  readonly index: number
  /** The epoch of the driver that wrote it. */
  readonly epoch: number
  readonly at: string
  readonly body: RunStepBody
}

export const runStepCollection = defineCollection<RunStep>()({
  name: 'agents.run_steps',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_run: { fields: ['run_id', 'index'], unique: true },
    by_user: { fields: ['user_id', 'id'] },
  },
})
