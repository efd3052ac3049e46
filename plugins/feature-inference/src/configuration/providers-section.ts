import { type Static, Type } from '@agent-service/sdk'

/** One connection: where models are called, and with which key. */
export const connectionSchema = Type.Object({
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The brand. Inferred from the handle when it is left out; a custom name needs adapter and base_url.',
    }),
  ),
  adapter: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_-]{1,63}$',
      description: 'The request adapter of a custom brand: adapter_alpha to adapter_eta, or one that an installed plugin contributes.',
    }),
  ),
  api_key: Type.Optional(
    Type.String({
      'x-secret': true,
      'x-expand': 'at-use',
      description: 'A key, or a ${VARIABLE} reference that is resolved each time the key is needed.',
    }),
  ),
  credential_id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      'x-no-effect': 'Managed credentials are not part of this version; calls through the connection are refused.',
      description: 'The id of a managed credential.',
    }),
  ),
  base_url: Type.Optional(
    Type.String({ format: 'http-url', description: 'The endpoint with its version part. Default: that of the brand.' }),
  ),
  enabled: Type.Boolean({ default: true, description: 'Whether the connection may be called.' }),
  aws_region: Type.Optional(
    Type.String({
      minLength: 1,
      'x-no-effect': 'The cloud-platform adapter is not part of this version.',
      description: 'Region of the cloud platform.',
    }),
  ),
  aws_profile: Type.Optional(
    Type.String({
      minLength: 1,
      'x-no-effect': 'The cloud-platform adapter is not part of this version.',
      description: 'Named profile of the cloud platform.',
    }),
  ),
  azure_api_version: Type.Optional(
    Type.String({ minLength: 1, description: 'API version of the cloud tenant; 2024-10-21 when left out.' }),
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
