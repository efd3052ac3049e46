import type { ChannelAttachment, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import { type Fields, objectOf } from './fields.js'

const idPattern = /^\P{Cc}{1,200}$/u
const maxFiles = 20

/** What is wrong with a body, for its sender. */
export interface Unreadable {
  readonly problem: string
}

/** Reads the body of a request. `now`: the time of a message that says none. */
export function readBody(body: unknown, now: number): ChannelMessage | Unreadable {
  const fields = objectOf(body)
  const [conversation, sender] = [objectOf(fields?.['conversation']), objectOf(fields?.['sender'])]
  if (fields === undefined) return { problem: 'The body must be one JSON object.' }
  const { id, text = '', at = now, reply_to: replyTo, button, mentioned = false } = fields
  const attachments = readAttachments(fields['attachments'])
  if (!isId(id)) return { problem: '“id” must be a text of 1 to 200 characters: the same each time this message is sent, and of no other.' }
  if (!isId(conversation?.['id'])) return { problem: '“conversation.id” must be a text of 1 to 200 characters.' }
  if (!isId(sender?.['id'])) return { problem: '“sender.id” must be a text of 1 to 200 characters: of one person, who cannot choose it.' }
  if (typeof text !== 'string') return { problem: '“text” must be a text.' }
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 1e12 || at > 1e14)
    return { problem: '“at” must be the time in milliseconds since 1970.' }
  if (replyTo !== undefined && !isId(replyTo)) return { problem: '“reply_to” must be the id of a message.' }
  if (button !== undefined && (typeof button !== 'string' || !/^[\w.:-]{1,60}$/.test(button)))
    return { problem: '“button” must be the value of a button.' }
  if (attachments === undefined)
    return { problem: '“attachments” must be at most 20 objects with “name”, “media_type”, and “content” in base64.' }
  if (text === '' && attachments.length === 0) return { problem: 'The message needs a “text” or “attachments”.' }
  const group = conversation?.['group'] === true
  return {
    ...{ id, text, at, mentioned: !group || mentioned === true },
    conversation: { id: conversation['id'], kind: group ? 'group' : 'direct', ...named('title', conversation['title']) },
    sender: { id: sender['id'], bot: sender['bot'] === true, ...named('name', sender['name']) },
    ...(replyTo !== undefined && { replyTo }),
    ...(button !== undefined && { button }),
    ...(attachments.length > 0 && { attachments }),
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value)

/** A text for people, as one line; left out if it is not a text. */
function named<K extends string>(member: K, value: unknown): { readonly [member in K]?: string } {
  const line =
    typeof value === 'string'
      ? value
          .replace(/\p{Cc}+/gu, ' ')
          .trim()
          .slice(0, 200)
          .trim()
      : ''
  return line === '' ? {} : ({ [member]: line } as { readonly [member in K]?: string })
}

function readAttachments(value: unknown): readonly ChannelAttachment[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > maxFiles) return undefined
  const files = value.map((file, index) => readAttachment(objectOf(file), index))
  return files.every((file) => file !== undefined) ? files : undefined
}

function readAttachment(file: Fields | undefined, index: number): ChannelAttachment | undefined {
  const { content, media_type: mediaType, name } = file ?? {}
  if (typeof content !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(content)) return undefined
  if (mediaType !== undefined && (typeof mediaType !== 'string' || !/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mediaType))) return undefined
  const bytes = new Uint8Array(Buffer.from(content, 'base64'))
  return { id: String(index), ...named('name', name), ...(mediaType !== undefined && { mediaType }), size: bytes.length, bytes }
}
