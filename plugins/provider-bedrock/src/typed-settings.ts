import { Type } from '@agent-service/sdk'

/** The typed settings of the Converse protocol, beside `max_tokens` and `temperature`. */
export const converseSettings = Type.Object({
  top_p: Type.Optional(Type.Number({ description: 'Nucleus sampling: the share of probability that is kept.', minimum: 0, maximum: 1 })),
  stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Texts at which the answer ends.' })),
})
