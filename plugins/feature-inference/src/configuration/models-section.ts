import { type Static, type TProperties, Type } from '@agent-service/sdk'

/** How deep fallbacks may be nested in fallbacks. */
const maxFallbackDepth = 3

/** The extension place for the typed settings that adapters add by protocol, selected by `api`. */
export const settingsPlace = 'settings'
const openPlace = { 'x-extension-place': settingsPlace, 'x-variant-member': 'api' }

const rate = { minimum: 0, maximum: 100_000, 'x-unit': 'US dollars per million tokens' }

const priceSchema = Type.Object(
  {
    input: Type.Optional(Type.Number({ ...rate, 'x-default-text': 'catalogue price', description: 'Price of input.' })),
    cached_input: Type.Optional(
      Type.Number({
        ...rate,
        'x-default-text': 'price.input, else catalogue price',
        description: "Price of input that came from the provider's cache.",
      }),
    ),
    output: Type.Optional(
      Type.Number({ ...rate, 'x-default-text': 'catalogue price', description: 'Price of output, reasoning included; 0 for embeddings.' }),
    ),
  },
  {
    description:
      'What the model costs, if the catalogue does not know it or your contract says otherwise. It wins over the catalogue and over costs that the provider reports; usage and budgets in money count it.',
  },
)

const targetProperties = {
  provider: Type.String({ minLength: 1, description: 'Handle of a connection, configured or discovered.' }),
  model: Type.String({
    minLength: 1,
    description:
      'Id of the model as the provider names it: `<vendor>/<model>` for an aggregator, the exact deployment name for the cloud tenant.',
  }),
  api: Type.Optional(
    Type.String({
      minLength: 1,
      'x-default-text': 'connection default',
      description: 'Request protocol, for example completions. The connection must speak it.',
    }),
  ),
  extra_params: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    'x-expand': 'never',
    description:
      'Native request parameters, merged into the body after the typed settings: objects recursively, other values replace. Fields that the service sets itself are refused.',
  }),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1, 'x-unit': 'tokens', description: 'Maximum length of one response.' })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, 'x-harmless': true, description: 'Sampling temperature.' })),
  inline_reasoning: Type.Optional(
    Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
      'x-default-text': 'auto',
      description:
        'Whether the model writes its reasoning into the text, between tags such as `<think>`. Such reasoning is shown apart and not sent back. `auto`: where a text begins with such a tag; for models that are known to do so also with the closing tag alone. `always`: as for a known model. `never`: the text stays as it is.',
    }),
  ),
  price: Type.Optional(priceSchema),
}

const targetSchema = Type.Object(targetProperties)

const maxRetries = { minimum: 0, description: 'Maximum number of retries of a call.' }
const initialBackoff = { minimum: 0, 'x-unit': 'milliseconds', 'x-harmless': true, description: 'Wait before the first retry.' }
const backoffMultiplier = { minimum: 1, 'x-harmless': true, description: 'Factor by which each wait grows.' }
const maxBackoff = {
  minimum: 0,
  'x-unit': 'milliseconds',
  'x-harmless': true,
  description: 'Longest wait. A provider that asks for a longer one counts as failed.',
}

const retrySchema = Type.Object(
  {
    max_retries: Type.Integer({ ...maxRetries, default: 10 }),
    initial_backoff_ms: Type.Integer({ ...initialBackoff, default: 1_000 }),
    backoff_multiplier: Type.Number({ ...backoffMultiplier, default: 2 }),
    max_backoff_ms: Type.Integer({ ...maxBackoff, default: 60_000 }),
  },
  { description: 'How failed calls are retried.' },
)

const contextWindow = {
  minimum: 1,
  'x-unit': 'tokens',
  'x-default-text': 'catalogue limit, else 128000',
  description: 'Context budget of the group.',
}

/** Settings of the group that have no effect in a fallback. */
const ignoredInFallbacks = {
  context_window: Type.Optional(
    Type.Integer({
      ...contextWindow,
      'x-no-effect': 'The context window is set on the group; switching to a fallback does not change it.',
    }),
  ),
  retry: Type.Optional(
    Type.Object(
      {
        max_retries: Type.Optional(Type.Integer(maxRetries)),
        initial_backoff_ms: Type.Optional(Type.Integer(initialBackoff)),
        backoff_multiplier: Type.Optional(Type.Number(backoffMultiplier)),
        max_backoff_ms: Type.Optional(Type.Integer(maxBackoff)),
      },
      { 'x-no-effect': 'Retries are set on the group and apply to its fallbacks too.', description: 'How failed calls are retried.' },
    ),
  ),
}

const fallbacksOf = (depth: number): TProperties[string] =>
  Type.Array(
    Type.Object({ ...targetProperties, ...ignoredInFallbacks, ...(depth > 1 && { fallbacks: fallbacksOf(depth - 1) }) }, openPlace),
    {
      default: [],
      description: 'Models that are tried in order when the model fails, each with its own provider, model and settings.',
    },
  )

/** One model group. */
export const modelGroupSchema = Type.Object(
  {
    ...targetProperties,
    fallbacks: fallbacksOf(maxFallbackDepth),
    context_window: Type.Optional(Type.Integer(contextWindow)),
    retry: retrySchema,
  },
  openPlace,
)

/** Section `models`: model groups by name. */
export const modelsSection = Type.Record(Type.String({ minLength: 1 }), modelGroupSchema, {
  default: {},
  description: 'Model groups, by name. Without any connection and group, primary is derived from the environment.',
})

/** The price that the configuration gives a model, in US dollars per million tokens. */
export type ConfiguredPrice = Static<typeof priceSchema>

export type RetrySettings = Static<typeof retrySchema>

/** The settings of one model: those of a group, or of one of its fallbacks. */
export interface TargetSettings extends Static<typeof targetSchema> {
  readonly fallbacks?: readonly TargetSettings[]
}
export type ModelGroupSettings = TargetSettings & { readonly context_window?: number; readonly retry: RetrySettings }
export type ModelsSection = Readonly<Record<string, ModelGroupSettings>>

/** Members of a group that are not typed settings of a protocol. */
export const commonGroupMembers: ReadonlySet<string> = new Set(Object.keys(modelGroupSchema.properties))
