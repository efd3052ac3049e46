import type { Logger } from '@agent-service/sdk'
import type { Limiter } from '@agent-service/sdk/async'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { StageModel } from '../model/ask-model.js'
import type { StagePrompts } from '../model/prompts.js'
import type { Ontology } from '../ontology/ontology.js'
import type { Stage } from '../store/pass-records.js'
import type { UserMemories } from '../store/user-memories.js'
import type { PassStore } from './pass-store.js'

/** What a pass runs with. */
export interface PassDependencies {
  readonly database: Database
  readonly memories: UserMemories
  readonly search: MemorySearch
  readonly store: PassStore
  readonly chats: Chats
  readonly clock: Clock
  readonly model: StageModel
  readonly limiter: Limiter
  readonly log: Logger
  readonly settings: MemorySettings
  readonly prompts: StagePrompts
  /** That of the deployment. */
  readonly ontology: Ontology
  /** The model group; undefined: there is none. */
  group(): string | undefined
  redact(text: string): string
  /** Is told of each stage that ended well, and of each failure. */
  observe(stage: Stage, outcome: 'done' | 'failed' | 'reset'): void
}
