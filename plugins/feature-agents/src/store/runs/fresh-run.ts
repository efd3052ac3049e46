import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import type { LostCall } from '@agent-service/sdk/services/inference'
import type { Run } from './run.js'
import type { RunStepBody } from './run-step.js'

/** A model call that was announced in the store and not made yet, with its prompt. */
export interface AnnouncedCall {
  readonly turn: number
  /** The message that the answer goes into. */
  readonly messageId: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The conversation without the system message. */
  readonly history: readonly ModelMessage[]
  /** Calls of the same turn that were lost in a crash. Default: none. */
  readonly lostCalls?: readonly LostCall[]
}

/** A run that this process has just stored. */
export interface FreshRun {
  readonly run: Run
  /** Its first model call, if that was announced in the same transaction. */
  readonly opening?: { readonly steps: readonly RunStepBody[]; readonly call: AnnouncedCall }
}
