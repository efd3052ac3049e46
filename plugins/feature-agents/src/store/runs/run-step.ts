import type { ModelUsage, StopReason, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { defineCollection } from '@agent-service/sdk/services/database'

/** What a model asked for, as a step remembers it. The arguments are in the message. */
export type PlannedCall = {
  readonly call_id: string
  readonly name: string
  readonly arguments_hash: string
  /** The index of the part in the message. */
  readonly part: number
}

/** Why messages are summarised. */
export type CompactionReason = 'budget' | 'overflow'

/** How a question to a person ended. `withdrawn`: the run ended, or the person wrote a message instead. */
export type ApprovalOutcome = 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn'

/** What happened, in the order in which it happened. Append-only: a step is written once, before what it announces or after what it reports. */
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
  /** The vendor refused the request because it was too long; it is made again, shorter, into the same message. */
  | { readonly type: 'model.overflowed'; readonly turn: number; readonly message_id: string }
  /** A summary is about to be made in place of older messages: `budget`, before the call of this turn; `overflow`, because the vendor refused it. */
  | { readonly type: 'context.compacting'; readonly turn: number; readonly reason: CompactionReason }
  | { readonly type: 'context.compacted'; readonly turn: number; readonly reason: CompactionReason; readonly summary_id: string }
  /** No summary could be made; the call of this turn goes on without one. */
  | { readonly type: 'context.kept'; readonly turn: number; readonly reason: CompactionReason; readonly code: string }
  /** The final answer does not fit what was asked for; `message_id` says so to the model, and the next call answers it. */
  | { readonly type: 'result.refused'; readonly turn: number; readonly message_id: string; readonly problems: string }
  /** What a person wrote while the run went on, which the next model call sees. */
  | { readonly type: 'input.taken'; readonly message_ids: readonly string[] }
  | ({ readonly type: 'tool.planned'; readonly turn: number; readonly message_id: string } & PlannedCall)
  /** A person was asked about this call, and it does not begin before they have answered. */
  | { readonly type: 'approval.requested'; readonly call_id: string; readonly kind: 'approval' | 'question' }
  | {
      readonly type: 'approval.resolved'
      readonly call_id: string
      readonly outcome: ApprovalOutcome
      /** What the person wrote with it: a reason, or the answer to a question. */
      readonly note: string | null
    }
  | { readonly type: 'tool.started'; readonly call_id: string; readonly name: string }
  | { readonly type: 'tool.completed'; readonly call_id: string; readonly result: ToolResultPart }
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
