import { Type } from '@agent-service/sdk'

/**
 * The typed settings of Ollama. Named as on the wire: `think` beside the messages, the others in
 * `options`.
 */
export const ollamaSettings = Type.Object({
  think: Type.Optional(Type.Boolean({ description: 'Whether the model thinks before it answers.' })),
  num_ctx: Type.Optional(
    Type.Integer({ description: 'The context window that the runtime makes room for.', minimum: 1, 'x-unit': 'tokens' }),
  ),
  num_predict: Type.Optional(
    Type.Integer({
      description: 'The limit for the answer; -1 for none, -2 until the context is full. Wins over max_tokens.',
      minimum: -2,
      'x-unit': 'tokens',
    }),
  ),
  num_batch: Type.Optional(Type.Integer({ description: 'How much of the prompt is processed at once.', minimum: 1, 'x-unit': 'tokens' })),
  num_keep: Type.Optional(
    Type.Integer({
      description: 'How much of the start of the prompt stays when the context is full; -1 for all of it.',
      minimum: -1,
      'x-unit': 'tokens',
    }),
  ),
  num_thread: Type.Optional(
    Type.Integer({ description: 'Processor threads; 0 leaves it to the runtime.', minimum: 0, 'x-unit': 'threads' }),
  ),
  num_gpu: Type.Optional(
    Type.Integer({ description: 'Layers on the graphics processor; -1 leaves it to the runtime.', minimum: -1, 'x-unit': 'layers' }),
  ),
  top_k: Type.Optional(Type.Integer({ description: 'How many of the likeliest tokens are kept.', minimum: 0 })),
  top_p: Type.Optional(Type.Number({ description: 'Nucleus sampling: the share of probability that is kept.', minimum: 0, maximum: 1 })),
  min_p: Type.Optional(
    Type.Number({ description: 'The least probability of a token, relative to the likeliest.', minimum: 0, maximum: 1 }),
  ),
  repeat_penalty: Type.Optional(Type.Number({ description: 'How strongly repetition is penalised; 1 is not at all.', minimum: 0 })),
  repeat_last_n: Type.Optional(
    Type.Integer({
      description: 'How far back repetition is looked for; 0 is not at all, -1 the whole context.',
      minimum: -1,
      'x-unit': 'tokens',
    }),
  ),
  frequency_penalty: Type.Optional(
    Type.Number({ description: 'Lowers the chance of tokens by how often they occurred.', minimum: -2, maximum: 2 }),
  ),
  presence_penalty: Type.Optional(
    Type.Number({ description: 'Lowers the chance of tokens that occurred at all.', minimum: -2, maximum: 2 }),
  ),
  mirostat: Type.Optional(Type.Integer({ description: 'Mirostat sampling: 0 off, 1 version 1, 2 version 2.', minimum: 0, maximum: 2 })),
  mirostat_eta: Type.Optional(Type.Number({ description: 'How fast Mirostat learns.', minimum: 0 })),
  mirostat_tau: Type.Optional(Type.Number({ description: 'The balance of Mirostat between coherence and variety.', minimum: 0 })),
  tfs_z: Type.Optional(Type.Number({ description: 'Tail-free sampling; 1 turns it off.', minimum: 0 })),
  seed: Type.Optional(Type.Integer({ description: 'Asks for the same answer to the same request, as far as the runtime can.' })),
  stop: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
  use_mmap: Type.Optional(Type.Boolean({ description: 'Whether the model is mapped into memory.' })),
  use_mlock: Type.Optional(Type.Boolean({ description: 'Whether the model is kept in memory.' })),
})
