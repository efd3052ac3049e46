import { forwardedText } from '@agent-service/sdk/channels'
import type { ChannelAttachment, ChannelMessage, ChannelSender } from '@agent-service/sdk/contracts/channel'
import { conversationIdOf, messageIdOf } from './addresses.js'
import { type Fields, fieldsOf, integerOf, lineOf, listOf, textOf } from './fields.js'
import { type Bot, isForBot, withoutMention } from './mentions.js'

/** What an update says to the service, and what Telegram waits for. */
export interface ReadUpdate {
  readonly message?: ChannelMessage
  /** The id of the press of a button, which shows that it waits until it is answered. */
  readonly pressed?: string
}

/** Reads an update. Empty for what is no message of a person or program: edits, joins, what cannot be read. */
export function readUpdate(update: unknown, bot: Bot, now: number): ReadUpdate {
  const { message, callback_query: press } = fieldsOf(update)
  if (press !== undefined) return readPress(fieldsOf(press), now)
  const read = readMessage(fieldsOf(message), bot)
  return read === undefined ? {} : { message: read }
}

function readMessage(message: Fields, bot: Bot): ChannelMessage | undefined {
  const place = readPlace(message)
  const sender = readSender(message)
  const [number, date] = [integerOf(message['message_id']), integerOf(message['date'])]
  const attachments = readAttachments(message)
  const text = quotedIfForwarded(message, withoutMention(message, bot) ?? otherContentOf(message))
  if (place === undefined || number === undefined || date === undefined || sender === undefined) return undefined
  if (sender.id === String(bot.id) || (text === undefined && attachments.length === 0)) return undefined
  const answered = answeredBy(message)
  const answeredNumber = integerOf(answered['message_id'])
  return {
    ...{ id: messageIdOf(place.chat, number), conversation: place.conversation, sender, text: text ?? '', at: date * 1_000 },
    mentioned: place.conversation.kind === 'direct' || isForBot(message, answered, bot),
    ...(answeredNumber !== undefined && { replyTo: messageIdOf(place.chat, answeredNumber) }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** A press has no time of its own. Of a message that is older than 48 hours, Telegram says no more than where it stands. */
function readPress(press: Fields, now: number): ReadUpdate {
  const pressed = textOf(press['id'])
  if (pressed === undefined || !/^\d{1,30}$/.test(pressed)) return {}
  const message = fieldsOf(press['message'])
  const place = readPlace(message)
  const sender = personOf(fieldsOf(press['from']))
  const [number, value] = [integerOf(message['message_id']), textOf(press['data'])]
  if (place === undefined || sender === undefined || number === undefined || value === undefined || !/^[\w.:-]{1,60}$/.test(value))
    return { pressed }
  const buttons = listOf(fieldsOf(message['reply_markup'])['inline_keyboard']).flatMap(listOf).map(fieldsOf)
  const label = lineOf(buttons.find(({ callback_data }) => callback_data === value)?.['text'], 200) ?? value
  return {
    pressed,
    message: {
      ...{ id: `press/${pressed}`, conversation: place.conversation, sender, text: label, at: now, mentioned: true },
      ...{ replyTo: messageIdOf(place.chat, number), button: value },
    },
  }
}

function readPlace(message: Fields): { readonly chat: number; readonly conversation: ChannelMessage['conversation'] } | undefined {
  const { id, type, title } = fieldsOf(message['chat'])
  const chat = integerOf(id)
  if (chat === undefined || (type !== 'private' && type !== 'group' && type !== 'supergroup')) return undefined
  const topic = message['is_topic_message'] === true ? integerOf(message['message_thread_id']) : undefined
  const name = lineOf(title, 200)
  const conversationId = conversationIdOf({ chat, ...(topic !== undefined && { topic }) })
  return {
    chat,
    conversation: { id: conversationId, kind: type === 'private' ? 'direct' : 'group', ...(name !== undefined && { title: name }) },
  }
}

/**
 * Who wrote it. Administrators who hide, and channels, write with one account of Telegram's that all of
 * them share, everywhere: they are told apart by the chat in whose name they write.
 */
function readSender(message: Fields): ChannelSender | undefined {
  const { id, title } = fieldsOf(message['sender_chat'])
  const chat = integerOf(id)
  if (message['sender_chat'] === undefined) return personOf(fieldsOf(message['from']))
  if (chat === undefined) return undefined
  const name = lineOf(title, 200)
  return { id: `chat:${chat}`, ...(name !== undefined && { name }), bot: message['is_automatic_forward'] === true }
}

function personOf({ id, is_bot, first_name, last_name, username }: Fields): ChannelSender | undefined {
  const person = integerOf(id)
  if (person === undefined) return undefined
  const name = lineOf([first_name, last_name].filter((part) => typeof part === 'string').join(' '), 200) ?? lineOf(username, 200)
  return { id: String(person), ...(name !== undefined && { name }), bot: is_bot === true }
}

/** What it answers. In a topic every message answers the one that has opened it. */
function answeredBy(message: Fields): Fields {
  const answered = fieldsOf(message['reply_to_message'])
  const opensTopic = message['is_topic_message'] === true && answered['message_id'] === message['message_thread_id']
  return opensTopic ? {} : answered
}

/** What was forwarded as no words of who forwards it. */
function quotedIfForwarded(message: Fields, text: string | undefined): string | undefined {
  const isForwarded = message['forward_origin'] !== undefined || message['forward_date'] !== undefined
  if (!isForwarded || text === undefined) return text
  const { sender_user: user, sender_user_name: hidden, sender_chat: group, chat = group } = fieldsOf(message['forward_origin'])
  const author = personOf(fieldsOf(user))?.name ?? lineOf(hidden, 200) ?? lineOf(fieldsOf(chat)['title'], 200) ?? 'another chat'
  return forwardedText(text, author)
}

/** What is neither a text nor a file. */
function otherContentOf(message: Fields): string | undefined {
  const [place, contact, poll] = [message['location'], message['contact'], message['poll']].map(fieldsOf)
  if (typeof place?.['latitude'] === 'number') return `Location: ${place['latitude']}, ${String(place['longitude'])}`
  if (contact?.['phone_number'] !== undefined)
    return `Contact: ${[contact['first_name'], contact['last_name'], contact['phone_number']].filter((part) => typeof part === 'string').join(' ')}`
  if (poll?.['question'] !== undefined) return `Poll: ${String(poll['question'])}`
  return textOf(fieldsOf(message['sticker'])['emoji'])
}

/** The kinds of files, with the type of those for which Telegram says none. An animation is a document too. */
const kinds = {
  ...{ document: undefined, audio: undefined, video: undefined, voice: 'audio/ogg', video_note: 'video/mp4' },
  sticker: undefined,
} as const

function readAttachments(message: Fields): readonly ChannelAttachment[] {
  const photo = listOf(message['photo']).map(fieldsOf).at(-1)
  const files = Object.entries(kinds).map(([kind, type]) => attachmentOf(fieldsOf(message[kind]), type))
  return [photo && attachmentOf(photo, 'image/jpeg'), ...files].filter((each) => each !== undefined)
}

function attachmentOf({ file_id, file_name, mime_type, file_size }: Fields, usualType: string | undefined): ChannelAttachment | undefined {
  const id = textOf(file_id)
  if (id === undefined || !/^[\w-]{1,300}$/.test(id)) return undefined
  const [name, size] = [lineOf(file_name, 255), integerOf(file_size)]
  const mediaType = typeof mime_type === 'string' && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mime_type) ? mime_type : usualType
  return {
    ...{ id, ...(name !== undefined && { name }) },
    ...(mediaType !== undefined && { mediaType }),
    ...(size !== undefined && size >= 0 && { size }),
  }
}
