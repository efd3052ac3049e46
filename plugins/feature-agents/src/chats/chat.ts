import { Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** A conversation with one agent. */
export type Chat = {
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  /** Null until the first message gives one, where the user gave none. */
  readonly title: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The run that is queued or going on; a chat has one at a time. */
  readonly active_run_id: string | null
  /** How many messages it has: the sequence of the next one. */
  readonly message_count: number
  /** Its deletion has begun: nothing is added to it any more. */
  readonly deleting: boolean
}

export const chatCollection = defineCollection<Chat>()({
  name: 'agents.chats',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'updated_at', 'id'] } },
})

/** A chat in an answer. */
export const chatSchema = Type.Object({
  id: Type.String(),
  agent_id: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String(),
  active_run_id: Type.Union([Type.String(), Type.Null()]),
  message_count: Type.Integer(),
})

/** What a client sees of a chat. */
export function presentChat(chat: Chat): Omit<Chat, 'user_id' | 'deleting'> {
  const { user_id: _, deleting: __, ...rest } = chat
  return rest
}

/** A title from the first message: its first line, cut between words. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if ([...line].length <= 60) return line === '' ? 'New chat' : line
  const cut = [...line].slice(0, 60).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > 30 ? cut.slice(0, space) : cut}…`
}
