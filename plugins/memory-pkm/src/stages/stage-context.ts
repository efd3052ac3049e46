import type { JsonValue, TObject } from '@agent-service/sdk'
import type { Limiter } from '@agent-service/sdk/async'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { ChatWindow } from '../chats/read-window.js'
import type { ModelTask, StageModel } from '../model/ask-model.js'
import type { Submission } from '../model/parse-submission.js'
import type { StagePrompts } from '../model/prompts.js'
import type { Ontology } from '../ontology/ontology.js'
import type { ConsolidationPass } from '../store/pass-records.js'
import type { MemoryView } from '../store/user-memories.js'

/** What a stage works with. It changes nothing but through `part` and `ask`. */
export interface StageContext {
  readonly pass: ConsolidationPass
  readonly view: MemoryView
  readonly ontology: Ontology
  readonly prompts: StagePrompts
  readonly settings: MemorySettings
  readonly search: MemorySearch
  readonly signal: AbortSignal
  /** Bounds the calls of extraction and authoring in the process. */
  readonly limiter: Limiter
  redact(text: string): string
  /** Reads the messages of the pass, and those before them. */
  window(): Promise<ChatWindow>
  /** The stored result of a part of this stage, if it was made from the same, else that of `work`, which is stored. */
  part<Result extends JsonValue>(name: string, from: unknown, work: () => Promise<Result>): Promise<Result>
  /** Asks the model. Each of its answers is stored, so that a killed process does not ask for it again. */
  ask<Schema extends TObject>(name: string, task: ModelTask<Schema>): Promise<Submission<Schema>>
}

export type { StageModel }
