import { type ForeignChat, ForeignChatError, type ForeignMessage, type ForeignPart } from './foreign-chat.js'
import { type Fields, fieldsOf, isFields, listOf, someText, textOf, timeOf } from './json-values.js'

/** Whether an object is a conversation of Claude's `conversations.json`. */
export const isClaude = (value: Fields): boolean => 'chat_messages' in value

/**
 * A conversation of Claude. Older exports have no `parent_message_uuid`: each message follows the one
 * before it. Thinking becomes reasoning, and the text that Claude has read from an attachment the file.
 * Pictures and other files are not in its exports.
 */
export function readClaude(value: Fields): ForeignChat {
  const id = someText(value['uuid'])
  if (id === undefined) throw new ForeignChatError('it has no id (“uuid”)')
  if (!Array.isArray(value['chat_messages'])) throw new ForeignChatError('it has no messages (“chat_messages”)')
  const given = value['chat_messages'] as readonly unknown[]
  const isTree = given.some((message) => typeof fieldsOf(message)['parent_message_uuid'] === 'string')
  const messages: ForeignMessage[] = []
  const ids = new Set(given.map((message) => textOf(fieldsOf(message)['uuid'])))
  for (const [index, message] of given.entries()) {
    const where = `message ${index + 1}`
    if (!isFields(message)) throw new ForeignChatError(`${where} is not an object`)
    const sender = message['sender']
    if (sender !== 'human' && sender !== 'assistant') throw new ForeignChatError(`${where} has no author (“sender”)`)
    const parent = isTree ? textOf(message['parent_message_uuid']) : (messages.at(-1)?.id ?? '')
    messages.push({
      id: someText(message['uuid']) ?? `#${index}`,
      // The first message follows one that does not exist, an id of zeros.
      parent: ids.has(parent) || parent.startsWith('#') ? parent : null,
      role: sender === 'human' ? 'user' : 'assistant',
      parts: [...filesOf(message), ...contentOf(message, where)],
      at: timeOf(message['created_at']),
      model: sender === 'assistant' ? (someText(message['model']) ?? someText(value['model'])) : undefined,
    })
  }
  return {
    ...{ product: 'claude', id, title: someText(value['name']) ?? null, messages, archived: false },
    ...{ createdAt: timeOf(value['created_at']), updatedAt: timeOf(value['updated_at']) },
    pinned: value['is_starred'] === true,
    current: someText(value['current_leaf_message_uuid']),
  }
}

function contentOf(message: Fields, where: string): readonly ForeignPart[] {
  const blocks = listOf(message['content'])
  const parts = blocks.flatMap((block, index) => partOf(fieldsOf(block), `${textOf(message['uuid'])} ${index}`))
  if (parts.length > 0 || blocks.length > 0) return parts
  if (typeof message['text'] !== 'string') throw new ForeignChatError(`${where} has no content`)
  return message['text'].trim() === '' ? [] : [{ type: 'text', text: message['text'] }]
}

function partOf(block: Fields, key: string): readonly ForeignPart[] {
  switch (block['type']) {
    case 'text':
    case 'voice_note': {
      const text = textOf(block['text'])
      return text.trim() === '' ? [] : [{ type: 'text', text }]
    }
    case 'thinking': {
      const text = textOf(block['thinking'])
      return text.trim() === '' ? [] : [{ type: 'reasoning', text }]
    }
    case 'tool_use':
      return [{ type: 'call', id: someText(block['id']) ?? key, name: someText(block['name']) ?? 'tool', input: block['input'] }]
    case 'tool_result': {
      const text = resultText(block['content'])
      const isError = block['is_error'] === true
      return [{ type: 'result', id: textOf(block['tool_use_id']), name: someText(block['name']) ?? 'tool', text, isError }]
    }
    default:
      return []
  }
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(fieldsOf)
    .map(({ text, title, url }) => someText(text) ?? [textOf(title), textOf(url)].filter((each) => each !== '').join('\n'))
    .filter((each) => each !== '')
    .join('\n\n')
}

function filesOf(message: Fields): readonly ForeignPart[] {
  const attached = listOf(message['attachments'])
    .map(fieldsOf)
    .map(({ file_name, extracted_content }, index): ForeignPart => {
      const name = someText(file_name) ?? `attachment-${index + 1}.txt`
      const text = someText(extracted_content)
      return { type: 'file', name, source: text === undefined ? { kind: 'missing' } : { kind: 'text', text } }
    })
  const seen = new Set<string>()
  const files = [...listOf(message['files']), ...listOf(message['files_v2'])].map(fieldsOf).flatMap((file): readonly ForeignPart[] => {
    const ids = [textOf(file['file_uuid']), textOf(file['file_name'])].filter((each) => each !== '')
    const [key] = ids
    if (key === undefined || seen.has(key)) return []
    seen.add(key)
    return [{ type: 'file', name: someText(file['file_name']) ?? key, source: { kind: 'archived', ids } }]
  })
  return [...attached, ...files]
}
