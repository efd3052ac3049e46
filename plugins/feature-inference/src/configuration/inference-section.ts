import { type Static, Type } from '@agent-service/sdk'

const seconds = (value: number, description: string) =>
  Type.Integer({ minimum: 1, default: value, 'x-unit': 'seconds', 'x-harmless': true, description })

/** Section `inference`. */
export const inferenceSection = Type.Object({
  max_tool_turns: Type.Integer({ minimum: 0, default: 200, description: 'Maximum tool-call iterations in one response of an agent.' }),
  default_max_tokens: Type.Integer({
    minimum: 1,
    default: 8192,
    'x-harmless': true,
    'x-unit': 'tokens',
    description:
      'Tokens reserved for the output when the context is budgeted and the group has no max_tokens. It does not cap the output; use max_tokens of a model group for that.',
  }),
  compaction_trigger_pct: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 80,
    'x-harmless': true,
    'x-unit': 'percent',
    'x-no-effect': 'Compaction starts at a fixed 80 % of the context window that remains after the output reservation.',
    description: 'Accepted, without effect.',
  }),
  history_truncation_pct: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 90,
    'x-harmless': true,
    'x-unit': 'percent',
    description: 'Share of the history budget that may be used, after output and system prompt are reserved.',
  }),
  timeouts: Type.Object(
    {
      connect_secs: seconds(30, 'How long a connection to a provider may take to open.'),
      first_token_secs: seconds(300, 'How long the first part of an answer may take.'),
      idle_secs: seconds(120, 'How long an answer may pause once it has begun.'),
      total_secs: seconds(3600, 'How long one call may take in total.'),
    },
    { description: 'Time limits of one model call.' },
  ),
})

export type InferenceSection = Static<typeof inferenceSection>
