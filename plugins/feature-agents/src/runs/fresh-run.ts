import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import type { Run } from './run.js'
import type { RunStepBody } from './run-step.js'

/** A model call that is announced in the store and has not been made yet, with what is asked. */
export interface AnnouncedCall {
  readonly turn: number
  /** The message that the answer goes into. */
  readonly messageId: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** The conversation without the system message. */
  readonly history: readonly ModelMessage[]
}

/** A run that this process has just stored. */
export interface FreshRun {
  readonly run: Run
  /** Its first model call, where that was announced in the same transaction. */
  readonly opening?: { readonly steps: readonly RunStepBody[]; readonly call: AnnouncedCall }
}
