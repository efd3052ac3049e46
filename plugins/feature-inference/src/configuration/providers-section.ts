import { type Static, Type } from '@agent-service/sdk'

/**
 * The API version of the cloud tenant if a connection names none. Not a schema `default`, because
 * other brands have none.
 */
export const defaultAzureApiVersion = '2024-10-21'

/** The name of a region becomes a part of the host that is called. */
export const awsRegionPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** One connection: the endpoint of models and its credential. */
export const connectionSchema = Type.Object({
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      'x-default-text': 'inferred from handle',
      description:
        'The brand: a built-in one, or a compatible one of the catalogue. Any other name is a custom brand, which needs adapter and base_url.',
    }),
  ),
  adapter: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_-]{1,63}$',
      'x-default-text': 'inferred for built-in brands',
      description:
        'The request adapter of a custom brand: adapter_alpha to adapter_eta, also by their plain names (openai, anthropic, gemini, bedrock, cohere, ollama, huggingface), or one that an installed plugin contributes.',
    }),
  ),
  api_key: Type.Optional(
    Type.String({
      'x-secret': true,
      'x-expand': 'at-use',
      description: 'A key, or a ${VARIABLE} reference that is resolved whenever the key is needed.',
    }),
  ),
  credential_id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      description: 'The id of a managed credential of the same brand.',
    }),
  ),
  base_url: Type.Optional(
    Type.String({
      format: 'http-url',
      'x-default-text': 'provider default',
      description: 'The endpoint with its version part. Required for the cloud tenant (azure) and for custom brands except ollama.',
    }),
  ),
  enabled: Type.Boolean({ default: true, description: 'Whether the connection may be called.' }),
  aws_region: Type.Optional(
    Type.String({
      pattern: awsRegionPattern,
      'x-default-text': 'from AWS configuration',
      description: 'Region of the cloud platform.',
    }),
  ),
  aws_profile: Type.Optional(
    Type.String({
      minLength: 1,
      'x-default-text': 'AWS credential chain',
      description: 'Named profile of the cloud platform.',
    }),
  ),
  azure_api_version: Type.Optional(
    Type.String({
      minLength: 1,
      'x-default-text': defaultAzureApiVersion,
      description: 'API version of the cloud tenant.',
    }),
  ),
  azure_credential: Type.Optional(Type.Unknown({ description: 'Not supported: the cloud tenant takes an API key.' })),
})

/** Section `providers`: connections by handle. */
export const providersSection = Type.Record(Type.String(), connectionSchema, {
  default: {},
  'x-known-keys': [
    ...[
      'github-copilot',
      'azure',
      'amazon-bedrock',
      'openai',
      'anthropic',
      'kimi-for-coding',
      'ollama',
      'groq',
      'openrouter',
      'deepseek',
      'google',
    ],
    ...['cohere', 'mistral', 'perplexity', 'togetherai', 'xai', 'hyperbolic', 'moonshotai', 'mira', 'galadriel', 'huggingface'],
  ],
  description: 'Connections to model providers, by handle.',
})

export type ConnectionSettings = Static<typeof connectionSchema>
export type ProvidersSection = Readonly<Record<string, ConnectionSettings>>
