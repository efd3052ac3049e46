import { type Static, Type } from '@agent-service/sdk'

const seconds = (value: number, minimum: 0 | 1, description: string) =>
  Type.Integer({ description, default: value, minimum, 'x-unit': 'seconds' })
const tokens = (value: number, minimum: 0 | 1, description: string) =>
  Type.Integer({ description, default: value, minimum, 'x-unit': 'tokens' })
const count = (value: number, minimum: 0 | 1, description: string) => Type.Integer({ description, default: value, minimum })

/** Section `memory`. Back ends of third parties extend the place `backend` with their id as the variant. */
export const memorySection = Type.Object(
  {
    backend: Type.Union([Type.Literal('basic'), Type.Literal('pkm')], {
      description:
        'The memory backend: basic, pkm, or one that an installed plugin adds. A fresh installation works with basic until one is chosen.',
      default: 'basic',
      'x-set-up': true,
      'x-slot': 'memory.backend',
    }),
    model_group: Type.String({
      description:
        'Model group for background work. Where there is none of this name, basic uses the model of the chat’s agent, and pkm the group primary.',
      default: 'memory',
      minLength: 1,
    }),
    basic_compaction_token_threshold: tokens(3_000, 0, 'Memories of users and agents below this size are not compacted.'),
    basic_compaction_secs: seconds(7_200, 1, 'How often memories of users and agents are compacted.'),
    basic_space_compaction_secs: seconds(3_600, 1, 'How often memories of spaces are compacted.'),
    pkm_search_top_k: count(8, 1, 'The most results of memory_search. More than 1,000 count as 1,000.'),
    pkm_short_memory_half_life_secs: seconds(1_209_600, 1, 'In what time the score of a short memory halves.'),
    pkm_short_memory_demote_threshold: Type.Number({
      description: 'A short memory whose score is below this stays out of the prompt.',
      default: 0.1,
      minimum: 0,
      maximum: 1,
    }),
    pkm_short_memory_top_n: count(16, 0, 'The most lines of short memories in a prompt.'),
    pkm_short_memory_token_cap: tokens(3_000, 0, 'The most that short memories may take in a prompt.'),
    pkm_playbook_index_token_cap: tokens(1_500, 0, 'The most that the list of available playbooks may take in a prompt.'),
    pkm_consolidate_secs: seconds(60, 1, 'How often chats are looked for that can be consolidated.'),
    pkm_consolidate_idle_secs: seconds(300, 0, 'How long a chat must rest before it is consolidated.'),
    pkm_consolidation_concurrency: count(4, 1, 'The most model calls for extraction and authoring at the same time.'),
    pkm_consolidation_max_tool_turns: count(8, 0, 'Exploration turns of the stages classify and resolve.'),
    pkm_consolidation_max_submissions: count(8, 1, 'Structured submissions of the stages classify, resolve and reconcile.'),
    pkm_playbook_max_tool_turns: count(20, 0, 'Exploration turns when playbooks are resolved and written.'),
    pkm_playbook_max_submissions: count(20, 1, 'Structured submissions when playbooks are resolved and written.'),
    pkm_extract_max_tokens: tokens(10_000, 1, 'The most of a transcript, as estimated, in one extraction request.'),
    pkm_extract_max_messages: count(300, 1, 'The most messages in one extraction request.'),
    pkm_extract_agent_evidence_lookback_messages: count(
      10,
      0,
      'How many messages of agents in the same chat are searched backward for evidence of tools.',
    ),
    pkm_extract_agent_evidence_result_token_cap: tokens(4_000, 0, 'The most that one search or read of evidence may give.'),
    pkm_consolidation_max_attempts: count(3, 1, 'Failures at one stage before a pass is given up.'),
    pkm_adjudication_max_attempts_per_batch: count(40, 1, 'Submissions that one batch of ontology adjudication may take.'),
    pkm_consolidation_checkpoint_failure_cap: count(
      2,
      0,
      'Resets after a fatal failure past extraction before a pass has failed for good.',
    ),
    pkm_consolidation_retry_base_secs: seconds(
      120,
      0,
      'The first wait before a retry. It doubles with each attempt and ends at the next pass.',
    ),
    pkm_consolidation_keep_records: count(20, 0, 'Finished consolidation records that are kept for each user.'),
  },
  {
    title: 'Memory',
    description: 'What agents remember, and how it is kept small.',
    'x-extension-place': 'backend',
    'x-variant-member': 'backend',
  },
)

/** The section as it is in effect. */
export type MemorySection = Static<typeof memorySection>
