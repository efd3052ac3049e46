import { Type } from '@agent-service/sdk'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import { defineCollection } from '@agent-service/sdk/services/database'
import { alternativesSchema } from '../branches/alternatives.js'

/** `open`: still growing. `partial`: the answer broke off, what is there is kept. `failed`: it broke off before anything came. */
export type MessageStatus = 'open' | 'complete' | 'partial' | 'failed'

/** One message of a chat. */
export type Message = {
  readonly id: string
  readonly chat_id: string
  /** The branch that it was written in; branches that fork behind it share it. */
  readonly branch_id: string
  readonly user_id: string
  /** The run that it started, or that wrote it. */
  readonly run_id: string
  readonly role: 'user' | 'assistant' | 'tool'
  readonly status: MessageStatus
  readonly content: readonly ContentPart[]
  /** The place in the conversation, from 0; unique in its branch. */
  readonly sequence: number
  readonly created_at: string
  /** `{user id}/{Idempotency-Key}` of the request that posted it, for a day: a repeated request finds it also where its answer was lost in a crash. */
  readonly client_key?: string
}

export const messageCollection = defineCollection<Message>()({
  name: 'agents.messages',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_branch: { fields: ['branch_id', 'sequence'], unique: true },
    by_client_key: { fields: ['client_key'], unique: true },
    of_chat: { fields: ['chat_id', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
  search: { fields: ['content.text'], scope: 'user_id', order: 'created_at' },
  migrations: [
    {
      to: 2,
      description: 'Messages know their branch.',
      migrate: (message) => ({ ...message, branch_id: message['chat_id'] ?? '' }),
    },
  ],
})

const textPart = Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1, maxLength: 4_000_000 }) })

/** What a person may post: text, or text parts. */
export const messageInputSchema = Type.Object({
  content: Type.Union([Type.String({ minLength: 1, maxLength: 4_000_000 }), Type.Array(textPart, { minItems: 1, maxItems: 100 })]),
  replaces: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A message of a person: the chat goes on from where that one stands, in a new branch.',
    }),
  ),
})

/** One part in an answer. */
const partSchema = Type.Object({ type: Type.String() }, { additionalProperties: true })

/** A message in an answer. */
export const messageSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  branch_id: Type.String(),
  run_id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('tool')]),
  status: Type.Union([Type.Literal('open'), Type.Literal('complete'), Type.Literal('partial'), Type.Literal('failed')]),
  content: Type.Array(partSchema),
  sequence: Type.Integer(),
  created_at: Type.String(),
  alternatives: Type.Optional(alternativesSchema),
  event_id: Type.Optional(Type.String({ description: 'On an open message: stream with `after` this id to go on without a gap.' })),
})

/** What a client sees of a message. Opaque reasoning is the vendors' and stays inside. */
export function presentMessage(message: Message): Omit<Message, 'user_id' | 'client_key'> {
  const { user_id: _, client_key: __, ...rest } = message
  return { ...rest, content: message.content.map(presentPart) }
}

function presentPart(part: ContentPart): ContentPart {
  if (!('opaque' in part)) return part
  const { opaque: _, ...rest } = part
  return rest
}
