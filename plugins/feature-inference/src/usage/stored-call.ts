import { namedObject, type Static, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

const textOrNull = Type.Union([Type.String(), Type.Null()])
const integerOrNull = Type.Union([Type.Integer(), Type.Null()])

/** A model call in responses. */
export const callSchema = namedObject('ModelCall', {
  id: Type.String(),
  agent_id: textOrNull,
  chat_id: textOrNull,
  run_id: textOrNull,
  purpose: Type.Union([Type.String(), Type.Null()], {
    description: 'What it was for, if not an answer: `title` for the title of a chat, `memory` for what is remembered.',
  }),
  group: Type.String(),
  fallback: Type.Integer({ description: "0 for the group's own model, else the number of the fallback." }),
  retries: Type.Integer({ description: 'Earlier calls of the same model for the same answer.' }),
  provider: Type.String({ description: 'Handle of the connection.' }),
  model: Type.String(),
  protocol: Type.String(),
  started_at: Type.String(),
  duration_ms: Type.Integer(),
  first_token_ms: integerOrNull,
  outcome: Type.Union([Type.Literal('completed'), Type.Literal('failed'), Type.Literal('cancelled'), Type.Literal('lost')], {
    description:
      '`lost`: the service crashed during the call and repeated it. Its usage is not known; the tokens of its prompt are estimated, and `duration_ms` is 0.',
  }),
  failure: textOrNull,
  stop_reason: textOrNull,
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  cache_write_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  reasoning_tokens: Type.Integer(),
  estimated: Type.Boolean({ description: 'The vendor reported no usage; the numbers are estimates.' }),
  cost_usd: Type.Union([Type.Number(), Type.Null()], { description: 'Null if no price is known.' }),
  price_version: Type.Union([Type.String(), Type.Null()], {
    description:
      'The version of the catalogue that the price is from; `vendor` if the vendor reported the cost, `configuration` for a price of the model group.',
  }),
  request_id: textOrNull,
  in_one_piece: Type.Boolean({ description: 'A stream was requested, but the answer came in one piece.' }),
})

/** A stored model call. */
export type StoredCall = Omit<Static<typeof callSchema>, 'cost_usd'> & {
  readonly user_id: string
  /** In billionths of a US dollar. */
  readonly cost_nano_usd: number | null
}

/** Every call, for {@link retentionDays}. The id grows with time. */
export const callCollection = defineCollection<StoredCall>()({
  name: 'inference.calls',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_chat: { fields: ['chat_id', 'id'] },
    by_age: { fields: ['started_at'] },
  },
  migrations: [{ to: 2, description: 'Calls know what they were for.', migrate: (call) => ({ ...call, purpose: null }) }],
})

/** How long single calls are kept, in days. Sums stay. */
export const retentionDays = 90
