import { Type } from '@agent-service/sdk'

/** What both protocols take beside `max_tokens` and `temperature`. */
const common = {
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling: the share of probability that is kept.' })),
  max_completion_tokens: Type.Optional(
    Type.Integer({ minimum: 1, 'x-unit': 'tokens', description: 'The limit for the answer including reasoning. Wins over max_tokens.' }),
  ),
  reasoning_effort: Type.Optional(
    Type.String({ minLength: 1, examples: ['low', 'medium', 'high'], description: 'How much the model reasons.' }),
  ),
  top_logprobs: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 20, description: 'How many alternatives of each token the vendor returns.' }),
  ),
}

/** The typed settings of the completions protocol. Named as on the wire. */
export const completionsSettings = Type.Object({
  ...common,
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
  logprobs: Type.Optional(Type.Boolean({ description: 'Whether the vendor returns log probabilities; top_logprobs needs it.' })),
  stop: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
})

/** The typed settings of the responses protocol. */
export const responsesSettings = Type.Object(common)
