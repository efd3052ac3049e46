import { type Static, type TProperties, Type } from '@agent-service/sdk'

/** How deep fallbacks may be nested in fallbacks. */
const fallbackDepth = 3

/** The members of a group take typed settings beside these, by the protocol that `api` names. */
const openPlace = {
  'x-extension-place': 'settings',
  'x-variant-member': 'api',
  'x-variant-aliases': {
    chat_completions: 'completions',
    'openai-chat-completions': 'completions',
    'openai-responses': 'responses',
    adapter_beta: 'anthropic-messages',
    adapter_gamma: 'google-generate-content',
    adapter_delta: 'amazon-bedrock-converse',
    adapter_epsilon: 'cohere-chat',
    adapter_zeta: 'ollama',
    adapter_eta: 'huggingface',
  },
}

const targetProperties = {
  provider: Type.String({ minLength: 1, description: 'Handle of a connection, configured or discovered.' }),
  model: Type.String({ minLength: 1, description: 'Id of the model, as the provider names it.' }),
  api: Type.Optional(
    Type.String({ minLength: 1, description: 'Request protocol, for example completions. Default: that of the connection.' }),
  ),
  extra_params: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    'x-expand': 'never',
    description: 'Native request parameters, merged into the body after the typed settings.',
  }),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1, 'x-unit': 'tokens', description: 'The most that one response may have.' })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: 'Sampling temperature.' })),
}

const retrySchema = Type.Object(
  {
    max_retries: Type.Integer({ minimum: 0, default: 10, description: 'How often a call is tried again.' }),
    initial_backoff_ms: Type.Integer({ minimum: 0, default: 1000, 'x-unit': 'milliseconds', description: 'The first wait.' }),
    backoff_multiplier: Type.Number({ minimum: 1, default: 2, description: 'By how much each wait is longer than the one before.' }),
    max_backoff_ms: Type.Integer({
      minimum: 0,
      default: 60_000,
      'x-unit': 'milliseconds',
      description: 'The longest wait. A provider that asks for a longer one has failed.',
    }),
  },
  { description: 'How a failed call is tried again.' },
)

const contextWindow = Type.Optional(
  Type.Integer({
    minimum: 1,
    'x-unit': 'tokens',
    description: 'Context budget of the group. Default: that of the catalogue, else 128000.',
  }),
)

const fallbackNote = 'Fallbacks are not tried in this version.'

const fallbacksOf = (depth: number): TProperties[string] =>
  Type.Array(
    Type.Object(
      {
        ...targetProperties,
        context_window: contextWindow,
        retry: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { 'x-no-effect': 'Retry is set on the group.' })),
        ...(depth > 1 && { fallbacks: fallbacksOf(depth - 1) }),
      },
      openPlace,
    ),
    { default: [], 'x-no-effect': fallbackNote, description: 'What is tried in order when the model fails.' },
  )

/** One model group. */
export const modelGroupSchema = Type.Object(
  { ...targetProperties, fallbacks: fallbacksOf(fallbackDepth), context_window: contextWindow, retry: retrySchema },
  openPlace,
)

/** Section `models`: model groups by name. */
export const modelsSection = Type.Record(Type.String({ minLength: 1 }), modelGroupSchema, {
  default: {},
  description: 'Model groups, by name. Without any connection and group, primary is made from what the environment offers.',
})

export type RetrySettings = Static<typeof retrySchema>
export type ModelGroupSettings = Omit<Static<typeof modelGroupSchema>, 'fallbacks'>
export type ModelsSection = Readonly<Record<string, ModelGroupSettings>>

/** Members of a group that are no typed settings of a protocol. */
export const commonGroupMembers: ReadonlySet<string> = new Set(Object.keys(modelGroupSchema.properties))
