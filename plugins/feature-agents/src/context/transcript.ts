import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import { withoutReasoning } from '@agent-service/sdk/model-answers'
import { cutText } from '../common/well-formed.js'
import type { Message } from '../store/chats/message.js'
import { placesOf } from './file-lines.js'

/**
 * The most text of one tool result and of one call's arguments that the summary's model is shown,
 * in UTF-16 code units.
 */
const maxResultLength = 2_000
const maxArgumentsLength = 500
/** The most of one message. */
const maxMessageLength = 40_000

/**
 * A stored message as the summary's model reads it: the speaker and the text; long results are
 * shortened and pictures only named. Empty: nothing to show.
 */
export function transcriptOf(message: Message): string {
  if (message.status === 'open') return ''
  const said = (text: string): string => (message.role === 'assistant' ? withoutReasoning(text) : text)
  const texts = message.content
    .map((part, index) => (part.type === 'text' ? said(part.text) : `${textOf(part)}${placesOf(message.attachments?.[index])}`))
    .filter((text) => text !== '')
  if (texts.length === 0) return ''
  const text = shorten(texts.join('\n'), maxMessageLength)
  return `#${message.sequence} ${speakerOf(message)}${message.status === 'complete' ? '' : ' (broke off)'}:\n${text}\n`
}

const speakers: Readonly<Record<Message['role'], string>> = { user: 'Person', assistant: 'Agent', tool: 'Tools' }

function speakerOf({ role, sent_by: sender }: Pick<Message, 'role' | 'sent_by'>): string {
  return role === 'user' && sender ? `Another agent${sender.name === null ? '' : `, “${sender.name}”`}` : speakers[role]
}

function textOf(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return ''
    case 'image':
      return '(an image)'
    case 'file':
      return `(the file ${part.name})`
    case 'tool_call':
      return `(calls ${part.name} with ${shorten(JSON.stringify(part.arguments), maxArgumentsLength)})`
    case 'tool_result': {
      const text = shorten(part.content.map((item) => textOf(item)).join('\n'), maxResultLength)
      const how = part.outcome === 'unknown' ? ' (outcome unknown)' : part.is_error ? ' (failed)' : ''
      return `(result of ${part.name}${how}) ${text}`
    }
  }
}

/**
 * A text of at most this length: its beginning and its end, with a note of the omitted length in
 * between.
 */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const begin = cutText(text, Math.floor(length * 0.7))
  const end = text.slice(text.length - Math.floor(length * 0.3)).replace(/^[\udc00-\udfff]/, '')
  return `${begin} (… ${text.length - begin.length - end.length} characters …) ${end}`
}

/**
 * The beginning of a transcript, at most `length` code units, up to the beginning of a message if
 * one is in its second half.
 */
export function takeChunk(transcript: string, length: number): string {
  if (transcript.length <= length) return transcript
  const chunk = cutText(transcript, length)
  const message = chunk.lastIndexOf('\n#')
  return message > length / 2 ? chunk.slice(0, message + 1) : chunk
}
