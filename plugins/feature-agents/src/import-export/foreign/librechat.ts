import { type ForeignChat, ForeignChatError, type ForeignMessage, type ForeignPart } from './foreign-chat.js'
import { type Fields, fieldsOf, isFields, listOf, someText, textOf, timeOf } from './json-values.js'

/** Whether an object is a conversation that LibreChat has exported as JSON. */
export const isLibreChat = (value: Fields): boolean =>
  typeof value['conversationId'] === 'string' && (Array.isArray(value['messagesTree']) || 'messages' in value)

/**
 * A conversation of LibreChat: a list of messages, or in a recursive export their tree (`children`).
 * Pictures and files are not in its exports.
 */
export function readLibreChat(value: Fields): ForeignChat {
  const messages = flat(value['messagesTree'] ?? value['messages']).map(({ message, above }, index) => messageOf(message, above, index))
  const ids = new Set(messages.map(({ id }) => id))
  return {
    ...{ product: 'librechat', id: textOf(value['conversationId']), title: someText(value['title']) ?? null },
    // The first message follows one that does not exist, an id of zeros.
    messages: messages.map((message) => ({
      ...message,
      parent: message.parent !== null && ids.has(message.parent) ? message.parent : null,
    })),
    createdAt: timeOf(value['createdAt']) ?? messages[0]?.at,
    updatedAt: timeOf(value['updatedAt']),
    archived: value['isArchived'] === true,
    pinned: false,
  }
}

interface Found {
  readonly message: unknown
  /** The message whose child it is, in a recursive export. */
  readonly above: string | undefined
}

/** All messages, those of a tree from the top down. A tree of any depth is walked. */
function flat(given: unknown): readonly Found[] {
  const begin = isFields(given) ? [given] : given
  if (!Array.isArray(begin)) throw new ForeignChatError('it has no messages (“messages” or “messagesTree”)')
  const found: Found[] = []
  const waiting: Found[] = begin.map((message: unknown) => ({ message, above: undefined })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next)
    const { children, messageId } = fieldsOf(next.message)
    for (const child of listOf(children).toReversed()) waiting.push({ message: child, above: textOf(messageId) })
  }
  return found
}

function messageOf(message: unknown, above: string | undefined, index: number): ForeignMessage {
  const where = `message ${index + 1}`
  if (!isFields(message)) throw new ForeignChatError(`${where} is not an object`)
  const { isCreatedByUser, sender, messageId, parentMessageId, createdAt, model, unfinished, error } = message
  if (typeof isCreatedByUser !== 'boolean' && typeof sender !== 'string')
    throw new ForeignChatError(`${where} has no author (“isCreatedByUser” or “sender”)`)
  const byUser = typeof isCreatedByUser === 'boolean' ? isCreatedByUser : textOf(sender).toLowerCase() === 'user'
  return {
    id: someText(messageId) ?? `#${index}`,
    parent: above ?? someText(parentMessageId) ?? null,
    role: byUser ? 'user' : 'assistant',
    parts: [...filesOf(message), ...contentOf(message, where)],
    at: timeOf(createdAt),
    model: byUser ? undefined : someText(model),
    partial: !byUser && (unfinished === true || error === true),
  }
}

function contentOf(message: Fields, where: string): readonly ForeignPart[] {
  const { text, content } = message
  if (Array.isArray(content) && content.length > 0)
    return content.flatMap((part, index) => partOf(fieldsOf(part), `${textOf(message['messageId'])} ${index}`))
  if (typeof text !== 'string') throw new ForeignChatError(`${where} has no text`)
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** The words of a part: a text, or an object with one. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : textOf(fieldsOf(value)['value']))

function partOf(part: Fields, key: string): readonly ForeignPart[] {
  switch (part['type']) {
    case 'text':
    case 'error': {
      const words = wordsOf(part['text']) || wordsOf(part['error'])
      return words.trim() === '' ? [] : [{ type: 'text', text: words }]
    }
    case 'think': {
      const words = wordsOf(part['think'])
      return words.trim() === '' ? [] : [{ type: 'reasoning', text: words }]
    }
    case 'tool_call': {
      const call = fieldsOf(part['tool_call'])
      const id = someText(call['id']) ?? key
      const asked = fieldsOf(call['function'])
      const name = someText(call['name']) ?? someText(asked['name']) ?? 'tool'
      const output = call['output'] ?? asked['output']
      const input = call['args'] ?? asked['arguments']
      const begun: ForeignPart = { type: 'call', id, name, input: typeof input === 'string' ? parsed(input) : input }
      return typeof output === 'string' ? [begun, { type: 'result', id, name, text: output, isError: false }] : [begun]
    }
    case 'image_file': {
      const { filename, filepath, file_id } = fieldsOf(part['image_file'])
      return [fileOf({ filename, filepath, file_id })]
    }
    default:
      return []
  }
}

const filesOf = (message: Fields): readonly ForeignPart[] =>
  [...listOf(message['files']), ...listOf(message['attachments'])]
    .map(fieldsOf)
    .flatMap((file) => ('filepath' in file || 'file_id' in file ? [fileOf(file)] : []))

function fileOf({ filename, filepath, file_id }: Fields): ForeignPart {
  const ids = [textOf(file_id), textOf(filepath).split('/').at(-1) ?? ''].filter((each) => each !== '')
  const name = someText(filename) ?? ids.at(-1) ?? 'file'
  return { type: 'file', name, source: ids.length === 0 ? { kind: 'missing' } : { kind: 'archived', ids } }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return { text }
  }
}
