import { Type } from '@agent-service/sdk'

/** The typed settings of the completions protocol, beside `max_tokens` and `temperature`. Named as on the wire. */
export const completionsSettings = Type.Object({
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling: the share of probability that is kept.' })),
  min_p: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'The least probability of a token, relative to the likeliest.' }),
  ),
  frequency_penalty: Type.Optional(
    Type.Number({ minimum: -2, maximum: 2, description: 'Lowers the chance of tokens by how often they occurred.' }),
  ),
  presence_penalty: Type.Optional(
    Type.Number({ minimum: -2, maximum: 2, description: 'Lowers the chance of tokens that occurred at all.' }),
  ),
  seed: Type.Optional(Type.Integer({ description: 'Asks for the same answer to the same request, as far as the vendor can.' })),
  max_completion_tokens: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The limit for the answer including reasoning. Wins over max_tokens.' }),
  ),
  reasoning_effort: Type.Optional(
    Type.String({ minLength: 1, description: 'How much the model reasons, for example low, medium or high.' }),
  ),
  logprobs: Type.Optional(Type.Boolean({ description: 'Whether the vendor returns log probabilities.' })),
  top_logprobs: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 20, description: 'How many alternatives of each token; needs logprobs.' }),
  ),
  stop: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
})

/** Fields of the native body that the service owns. */
export const completionsProtectedPaths: readonly string[] = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'stream',
  'stream_options',
  'n',
]

/** Owned too when an answer's schema was asked for. */
export const completionsProtectedStructuredPaths: readonly string[] = ['response_format', 'parallel_tool_calls']
