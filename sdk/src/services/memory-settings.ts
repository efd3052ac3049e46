import { defineServiceReference } from '../core/service-reference.js'

/**
 * The section `memory` of the configuration, in its names: what the back ends of the distribution
 * go by. Constant while the plugin runs. Times are in seconds, budgets in estimated tokens.
 *
 * @example
 * const { basic_compaction_secs: interval } = context.use(memorySettingsService)
 */
export interface MemorySettings {
  /** The id of the back end in use. Another one runs only while memories are copied to it. */
  readonly backend: string
  /**
   * Model group for background work. Where there is none of this name, `basic` uses that of the
   * chat's agent, and `pkm` uses `primary`.
   */
  readonly model_group: string
  /** Memories of a user or agent below this are not compacted. */
  readonly basic_compaction_token_threshold: number
  /** Interval of the compaction of users' and agents' memories. */
  readonly basic_compaction_secs: number
  /** Interval of the compaction of spaces' memories. */
  readonly basic_space_compaction_secs: number
  /** The most results of `memory_search`. */
  readonly pkm_search_top_k: number
  /** After this time the score of a short memory has halved. */
  readonly pkm_short_memory_half_life_secs: number
  /** Below this score a short memory leaves the prompt. */
  readonly pkm_short_memory_demote_threshold: number
  /** The most short memories in a prompt. */
  readonly pkm_short_memory_top_n: number
  /** Budget of the short memories in a prompt. */
  readonly pkm_short_memory_token_cap: number
  /** Budget of the list of playbooks in a prompt. */
  readonly pkm_playbook_index_token_cap: number
  /** Interval of the sweep. */
  readonly pkm_consolidate_secs: number
  /** How long a chat has to be idle before it is consolidated. */
  readonly pkm_consolidate_idle_secs: number
  /** The most model calls of extraction or authoring at a time. */
  readonly pkm_consolidation_concurrency: number
  /** Turns with tools to classify and to resolve. */
  readonly pkm_consolidation_max_tool_turns: number
  /** Structured submissions to classify, resolve and reconcile. */
  readonly pkm_consolidation_max_submissions: number
  /** Turns with tools for playbooks. */
  readonly pkm_playbook_max_tool_turns: number
  /** Structured submissions for playbooks. */
  readonly pkm_playbook_max_submissions: number
  /** Budget of the transcript in one request of extraction. */
  readonly pkm_extract_max_tokens: number
  /** The most messages in one request of extraction. */
  readonly pkm_extract_max_messages: number
  /** How many messages of the agent are searched backward for evidence of tools. */
  readonly pkm_extract_agent_evidence_lookback_messages: number
  /** Budget of one search or reading of such evidence. */
  readonly pkm_extract_agent_evidence_result_token_cap: number
  /** The failure of this number at one stage abandons a pass. */
  readonly pkm_consolidation_max_attempts: number
  /** Attempts of submission for one batch of the ontology. */
  readonly pkm_adjudication_max_attempts_per_batch: number
  /** How many resets of a checkpoint a pass survives. */
  readonly pkm_consolidation_checkpoint_failure_cap: number
  /** Delay before the second attempt; it doubles with each. */
  readonly pkm_consolidation_retry_base_secs: number
  /** Finished passes that are kept for each user. */
  readonly pkm_consolidation_keep_records: number
}

/** The section `memory`. Provided by `feature-memory`. */
export const memorySettingsService = defineServiceReference<MemorySettings>()('memory-settings')
