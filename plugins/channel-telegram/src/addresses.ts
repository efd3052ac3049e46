import { channelRejectedError } from '@agent-service/sdk/contracts/channel'
import { telegram } from './refusals.js'

/** A chat, and the topic in it where it has topics. */
export interface Place {
  readonly chat: number
  readonly topic?: number
}

/** A topic has a history of its own, so it is a conversation: `-100123/45`. */
export const conversationIdOf = ({ chat, topic }: Place): string => (topic === undefined ? String(chat) : `${chat}/${topic}`)

/** Telegram's numbers of messages are those of their chat. */
export const messageIdOf = (chat: number, message: number): string => `${chat}/${message}`

/** @throws `channel_rejected` if it is no conversation of Telegram. */
export function placeOf(conversationId: string): Place {
  const [, chat, topic] = /^(-?\d{1,16})(?:\/(\d{1,10}))?$/.exec(conversationId) ?? []
  if (chat === undefined) throw channelRejectedError.create({ channel: telegram, reason: 'there is no such chat' })
  return { chat: Number(chat), ...(topic !== undefined && { topic: Number(topic) }) }
}

/** The number of a message in its chat; undefined for the id of anything else. */
export function messageNumberOf(id: string): number | undefined {
  const [, number] = /^-?\d{1,16}\/(\d{1,10})$/.exec(id) ?? []
  return number === undefined ? undefined : Number(number)
}

/** What a method takes to send to a place. */
export const targetOf = ({ chat, topic }: Place): Readonly<Record<string, number>> => ({
  chat_id: chat,
  ...(topic !== undefined && { message_thread_id: topic }),
})
