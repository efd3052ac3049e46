import { Type } from '@agent-service/sdk'

/** The typed settings of the messages protocol. Named as on the wire. */
export const messagesSettings = Type.Object({
  thinking: Type.Optional(
    Type.Object(
      {
        type: Type.Optional(
          Type.Union([Type.Literal('enabled'), Type.Literal('disabled')], { description: 'Whether the model thinks before it answers.' }),
        ),
        budget_tokens: Type.Optional(
          Type.Integer({
            minimum: 0,
            'x-unit': 'tokens',
            description: 'The most tokens that it may think. While thinking is enabled, at least 1024 and less than max_tokens.',
          }),
        ),
      },
      { description: 'Extended thinking.' },
    ),
  ),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling: the share of probability that is kept.' })),
  top_k: Type.Optional(Type.Integer({ minimum: 0, description: 'How many of the likeliest tokens are kept.' })),
  stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
})
