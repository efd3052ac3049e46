import { Type } from '@agent-service/sdk'

/**
 * The typed settings of the generate-content protocol. On the wire they are in `generationConfig`,
 * in camel case.
 */
export const generateContentSettings = Type.Object({
  thinking_config: Type.Optional(
    Type.Object(
      {
        thinking_budget: Type.Optional(
          Type.Integer({
            minimum: -1,
            'x-unit': 'tokens',
            description:
              'The most tokens that the model may think; 0 turns thinking off if the model allows that, -1 leaves it to the model.',
          }),
        ),
        include_thoughts: Type.Optional(Type.Boolean({ description: 'Whether the answer includes thoughts.' })),
      },
      { description: 'Thinking.' },
    ),
  ),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling: the share of probability that is kept.' })),
  top_k: Type.Optional(Type.Integer({ minimum: 0, description: 'How many of the likeliest tokens are kept.' })),
  stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
  candidate_count: Type.Optional(Type.Integer({ minimum: 1, description: 'How many answers the model makes; the first is used.' })),
})
