import type { JsonObject } from '@agent-service/sdk'

/** One model in the source of snapshots. */
export const sourceModel = (changes: JsonObject = {}): JsonObject => ({
  name: 'A model',
  attachment: true,
  reasoning: true,
  tool_call: true,
  temperature: true,
  structured_output: false,
  release_date: '2026-01-01',
  modalities: { input: ['text', 'pdf', 'image'], output: ['text'] },
  limit: { context: 200_000, output: 64_000 },
  cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
  ...changes,
})

/** One provider in the source. */
export const sourceProvider = (models: JsonObject = {}, changes: JsonObject = {}): JsonObject => ({
  id: 'x',
  env: ['X_API_KEY'],
  npm: '@ai-sdk/openai-compatible',
  api: 'https://x.example/v1',
  name: 'X',
  doc: 'https://x.example/docs',
  models,
  ...changes,
})

/** A list with a number of models of one brand. */
export const sourceOf = (brand: string, count: number, changes: JsonObject = {}): JsonObject => ({
  [brand]: sourceProvider(Object.fromEntries(Array.from({ length: count }, (_, index) => [`model-${index}`, sourceModel(changes)]))),
})
