/**
 * What a file, or an environment, is held against: lines that are accepted, or what is told of
 * them, in order.
 */
export interface RuleCase {
  readonly what: string
  readonly yaml?: string
  readonly environment?: Readonly<Record<string, string>>
  /** How each problem begins: `path: what is wrong`. None: accepted. */
  readonly refused?: readonly string[]
  /** How each warning begins that is said of the sections `providers` and `models`. */
  readonly warned?: readonly string[]
}

const alpha = 'work: { provider: house, adapter: openai, base_url: "https://house.example/v1", api_key: k }'
const file = (providers: string, group = '', name = 'primary'): string =>
  `providers: { ${providers} }\n${group === '' ? '' : `models: { ${name}: { ${group} } }\n`}`
/** A file with a custom endpoint and one group that names it. */
export const house = (group: string): string => file(alpha, `provider: work, model: m, ${group}`)
const brand = (id: string, group = ''): string =>
  file(`${id}: { api_key: k }`, `provider: ${id}, model: m${group === '' ? '' : `, ${group}`}`)

/** Cases of the section `providers`. */
export const connectionCases: readonly RuleCase[] = [
  { what: 'a custom endpoint with a group', yaml: house('api: completions') },
  {
    what: 'an empty entry of a brand',
    yaml: 'providers: { ollama: {} }\nmodels: { primary: { provider: ollama, model: m } }',
  },
  {
    what: 'a handle in capitals',
    yaml: file('Work: { provider: groq }', 'provider: Work, model: m'),
    refused: ['providers.Work: is not a valid handle'],
  },
  {
    what: 'a handle of one letter',
    yaml: file('w: { provider: groq }', 'provider: w, model: m'),
    refused: ['providers.w: is not a valid handle'],
  },
  {
    what: 'a custom brand without adapter',
    yaml: file('work: { api_key: k }', 'provider: work, model: m'),
    refused: ['providers.work.adapter: is required'],
  },
  {
    what: 'a custom brand without address',
    yaml: file('work: { adapter: cohere }', 'provider: work, model: m'),
    refused: ['providers.work.base_url: is required'],
  },
  {
    what: 'another adapter for a brand',
    yaml: file('groq: { adapter: anthropic }', 'provider: groq, model: m'),
    refused: ['providers.groq.adapter: must be adapter_alpha'],
  },
  { what: 'the cloud tenant without address', yaml: brand('azure'), refused: ['providers.azure.base_url: is required'] },
  {
    what: 'a key beside a managed credential',
    yaml: file('groq: { api_key: k, credential_id: 01890a5d-ac96-774b-bcce-b302099a8057 }', 'provider: groq, model: m'),
    refused: ['providers.groq.credential_id: cannot be combined with api_key'],
  },
  {
    what: 'a profile beside a key',
    yaml: file('amazon-bedrock: { api_key: k, aws_profile: p }', 'provider: amazon-bedrock, model: m'),
    refused: ['providers.amazon-bedrock.aws_profile: cannot be combined with api_key'],
  },
  {
    what: 'the credential of a cloud tenant',
    yaml: file('azure: { base_url: "https://tenant.example", azure_credential: x }', 'provider: azure, model: m'),
    refused: ['providers.azure.azure_credential: is not supported'],
  },
  {
    what: 'a region elsewhere',
    environment: { SERVICE_PROVIDERS__GROQ__AWS_REGION: 'eu' },
    refused: ['providers.groq.aws_region: applies only to'],
    warned: ['models: is empty'],
  },
  {
    what: 'a profile elsewhere',
    yaml: file('groq: { aws_profile: p }', 'provider: groq, model: m'),
    refused: ['providers.groq.aws_profile: applies only to the cloud-platform adapter (adapter_delta)'],
  },
  {
    what: 'a version of the cloud tenant elsewhere',
    yaml: file('groq: { api_key: k, azure_api_version: "2024-10-21" }', 'provider: groq, model: m'),
    refused: ['providers.groq.azure_api_version: applies only to the cloud-tenant brand (azure)'],
  },
  {
    what: 'a compatible brand whose protocol no adapter speaks',
    yaml: file('aihubmix: { api_key: k }', 'provider: aihubmix, model: m'),
    refused: ['providers.aihubmix: the compatible brand “aihubmix” cannot be used'],
  },
  {
    what: 'connections without a group',
    yaml: file('groq: { api_key: k }'),
    warned: ['models: is empty although providers are configured'],
  },
]

/** What a group says of its connection and its protocol. */
export const groupCases: readonly RuleCase[] = [
  {
    what: 'a discovered connection',
    yaml: 'models: { primary: { provider: gemini, model: m } }',
    environment: { GOOGLE_API_KEY: 'k' },
  },
  {
    what: 'a connection by its legacy handle',
    yaml: file('google: { api_key: k }', 'provider: gemini, model: m'),
  },
  {
    what: 'a connection that nobody has',
    yaml: file(alpha, 'provider: wrok, model: m'),
    refused: ['models.primary.provider: “wrok” is not a configured or discovered connection; did you mean “work”?'],
  },
  {
    what: 'a fallback of a fallback that nobody has',
    yaml: house('fallbacks: [{ provider: work, model: m, fallbacks: [{ provider: gone, model: m }] }]'),
    refused: ['models.primary.fallbacks[0].fallbacks[0].provider: “gone”'],
  },
  {
    what: 'what a fallback ignores',
    yaml: house('fallbacks: [{ provider: work, model: m, context_window: 5, retry: { max_retries: 1 } }]'),
    warned: ['models.primary.fallbacks[0].context_window: has no effect', 'models.primary.fallbacks[0].retry: has no effect'],
  },
  {
    what: 'an unknown field of what a fallback ignores',
    yaml: house('fallbacks: [{ provider: work, model: m, retry: { max_tries: 1 } }]'),
    refused: ['models.primary.fallbacks[0].retry.max_tries: is not known here; did you mean “max_retries”?'],
    warned: ['models.primary.fallbacks[0].retry: has no effect'],
  },
  {
    what: 'a protocol of another family',
    yaml: house('api: anthropic-messages'),
    refused: ['models.primary.api: “anthropic-messages” is not spoken by adapter_alpha; the connection speaks responses, completions'],
  },
  {
    what: 'a family that speaks several protocols',
    yaml: house('api: adapter_alpha'),
    refused: ['models.primary.api: “adapter_alpha” is ambiguous between several protocols; the connection speaks responses, completions'],
  },
  {
    what: 'fallbacks nested too deep',
    yaml: house(
      'fallbacks: [{ provider: work, model: m, fallbacks: [{ provider: work, model: m, fallbacks: [{ provider: work, model: m, fallbacks: [] }] }] }]',
    ),
    refused: ['models.primary.fallbacks[0].fallbacks[0].fallbacks[0].fallbacks: is not known here'],
  },
  {
    what: 'a protocol that the cloud tenant does not speak',
    yaml: file('azure: { base_url: "https://tenant.example" }', 'provider: azure, model: m, api: responses'),
    refused: ['models.primary.api: “responses” is not spoken by the brand “azure”'],
  },
  { what: 'the default protocol of the first-party brand', yaml: brand('openai') },
  { what: 'completions of the first-party brand', yaml: brand('openai', 'api: openai-chat-completions, seed: 1') },
]

/** What a group sets. */
export const settingCases: readonly RuleCase[] = [
  {
    what: 'settings of the protocol that is asked for',
    yaml: house('api: completions, seed: 1, stop: [x], min_p: 0.1, logprobs: true, top_logprobs: 2'),
  },
  { what: 'settings under another spelling of it', yaml: house('api: chat_completions, seed: 1, max_completion_tokens: 5') },
  {
    what: 'a setting of another protocol',
    yaml: house('api: completions, top_k: 1'),
    refused: ['models.primary.top_k: is not supported with api “completions”, which supports'],
  },
  {
    what: 'a setting of another protocol under a spelling',
    yaml: house('api: chat_completions, top_k: 1'),
    refused: ['models.primary.top_k: is not supported by the protocol “completions”, which supports'],
  },
  {
    what: 'a setting that the default does not take',
    yaml: brand('openai', 'seed: 1'),
    refused: ['models.primary.seed: is not supported by the protocol “responses”, which supports'],
  },
  {
    what: 'a setting of a brand that takes none',
    yaml: brand('mistral', 'top_p: 0.5'),
    refused: ['models.primary.top_p: is not supported by the brand “mistral”'],
  },
  {
    what: 'a setting that nobody knows',
    yaml: brand('groq', 'top_q: 0.5'),
    refused: ['models.primary.top_q: is not known here; did you mean'],
  },
  {
    what: 'a value out of its range under a spelling',
    yaml: house('api: chat_completions, top_p: 2'),
    refused: ['models.primary.top_p: must be at most 1, found the number 2'],
  },
  {
    what: 'thinking',
    yaml: brand('anthropic', 'max_tokens: 4096, thinking: { type: enabled, budget_tokens: 2048 }'),
  },
  {
    what: 'too small a budget',
    yaml: brand('anthropic', 'thinking: { type: enabled, budget_tokens: 1023 }'),
    refused: ['models.primary.thinking.budget_tokens: must be at least 1024'],
  },
  {
    what: 'as much thinking as answer',
    yaml: brand('anthropic', 'max_tokens: 2048, thinking: { type: enabled, budget_tokens: 2048 }'),
    refused: ['models.primary.thinking.budget_tokens: must be less than max_tokens (2048)'],
  },
  {
    what: 'a member of thinking that nobody knows',
    yaml: brand('anthropic', 'thinking: { type: adaptive, budget_token: 1 }'),
    refused: [
      'models.primary.thinking.type: must be one of “enabled”, “disabled”',
      'models.primary.thinking.budget_token: is not known here; did you mean “budget_tokens”?',
    ],
  },
  {
    what: 'two limits',
    yaml: house('max_tokens: 5, max_completion_tokens: 6'),
    warned: ['models.primary.max_completion_tokens: overrides max_tokens'],
  },
  {
    what: 'two limits of the local runtime',
    environment: { OLLAMA_API_BASE_URL: 'http://localhost:11434' },
    yaml: 'models: { primary: { provider: ollama, model: m, max_tokens: 5, num_predict: -1 } }',
    warned: ['models.primary.num_predict: overrides max_tokens'],
  },
  { what: 'native parameters, literal', yaml: house('extra_params: { user: "${LITERAL}", metadata: { a: null } }') },
  {
    what: 'a native parameter that the service owns',
    yaml: house('extra_params: { messages: [] }'),
    refused: ['models.primary.extra_params.messages: is set by the service itself'],
  },
  {
    what: 'a native parameter of structured calls',
    yaml: brand('google', 'extra_params: { generationConfig: { responseSchema: {}, mediaResolution: low } }'),
    warned: ['models.primary.extra_params.generationConfig.responseSchema: is set by the service itself in calls'],
  },
]
