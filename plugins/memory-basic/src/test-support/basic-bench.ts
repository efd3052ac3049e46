import type { MemoryBackend } from '@agent-service/sdk/contracts/memory-backend'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { agentsService } from '@agent-service/sdk/services/agents'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { type Inference, inferenceService } from '@agent-service/sdk/services/inference'
import { type MemorySettings, memorySettingsService } from '@agent-service/sdk/services/memory-settings'
import { createTestContext, type GivenServices } from '@agent-service/sdk/testing'
import plugin from '../index.js'

/** The section as it is by default. */
export const defaultSettings: MemorySettings = {
  ...{ backend: 'basic', model_group: 'memory' },
  ...{ basic_compaction_token_threshold: 3_000, basic_compaction_secs: 7_200, basic_space_compaction_secs: 3_600 },
  ...{ pkm_search_top_k: 8, pkm_short_memory_half_life_secs: 1_209_600, pkm_short_memory_demote_threshold: 0.1 },
  ...{ pkm_short_memory_top_n: 16, pkm_short_memory_token_cap: 3_000, pkm_playbook_index_token_cap: 1_500 },
  ...{ pkm_consolidate_secs: 60, pkm_consolidate_idle_secs: 300, pkm_consolidation_concurrency: 4 },
  ...{ pkm_consolidation_max_tool_turns: 8, pkm_consolidation_max_submissions: 8 },
  ...{ pkm_playbook_max_tool_turns: 20, pkm_playbook_max_submissions: 20, pkm_extract_max_tokens: 10_000, pkm_extract_max_messages: 300 },
  ...{ pkm_extract_agent_evidence_lookback_messages: 10, pkm_extract_agent_evidence_result_token_cap: 4_000 },
  ...{ pkm_consolidation_max_attempts: 3, pkm_adjudication_max_attempts_per_batch: 40, pkm_consolidation_checkpoint_failure_cap: 2 },
  ...{ pkm_consolidation_retry_base_secs: 120, pkm_consolidation_keep_records: 20 },
}

/** What a test may set. */
export interface BasicOptions {
  readonly settings?: Partial<MemorySettings>
  readonly inference?: Partial<Inference>
}

/** The plugin with fakes. */
export async function startBasic({ settings = {}, inference = {} }: BasicOptions = {}) {
  const given = [memorySettingsService, { ...defaultSettings, ...settings }] as const
  const test = createTestContext(plugin, { services: [given] })
  const { clock, database, agents, chats, inference: model } = test.services
  const used: Inference = { ...model, ...inference }
  const open = async () => {
    const services: GivenServices = [
      ...([given, [clockService, clock], [databaseService, database], [inferenceService, used]] as const),
      ...([
        [agentsService, agents],
        [chatsService, chats],
      ] as const),
    ]
    const context = createTestContext(plugin, { services })
    await context.setup()
    const [backend] = context.contributed(memoryBackends)
    const [data] = context.contributed(userData)
    if (backend === undefined || data === undefined) throw new Error('the plugin contributes nothing')
    return { context, backend, data }
  }
  const opened = [await open()]
  const [first] = opened
  if (first === undefined) throw new Error('nothing is open')
  return {
    ...first,
    ...{ clock, database, agents, chats, model },
    async reopen(): Promise<MemoryBackend> {
      const next = await open()
      opened.push(next)
      return next.backend
    },
    async close() {
      for (const { context } of opened) await context.dispose()
    },
  }
}

export type BasicBench = Awaited<ReturnType<typeof startBasic>>
