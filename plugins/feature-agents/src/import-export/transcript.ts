import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ChatMessage, Chats, TranscriptMessage } from '@agent-service/sdk/services/chats'
import { chatTemporaryError, transcriptTooLongError } from '@agent-service/sdk/services/chats'
import type { Database } from '@agent-service/sdk/services/database'
import { agentCollection } from '../store/agents/agent.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { chatCollection } from '../store/chats/chat.js'
import type { Message } from '../store/chats/message.js'
import { markdownText } from './export-markdown.js'

/** The service `chats`. */
export function createChats({ database }: { readonly database: Database }): Chats {
  return {
    async transcript({ userId, chatId, maxCharacters }, { signal }) {
      const chat = await database.collection(chatCollection).get(chatId)
      if (chat?.user_id !== userId || chat.deleting) return undefined
      if (chat.temporary) throw chatTemporaryError.create({})
      const messages: TranscriptMessage[] = []
      let length = 0
      for await (const message of messagesAlong(database, chat.path, { order: 'ascending', to: chat.message_count })) {
        signal.throwIfAborted()
        if (message.role === 'tool' || message.status === 'open') continue
        const text = markdownText(message.content)
        if (text === '') continue
        length += text.length
        if (length > maxCharacters) throw transcriptTooLongError.create({ maxCharacters })
        const { status, created_at, sent_by: sender } = message
        const speaker = { role: writerOf(message), ...(sender && { name: sender.name ?? '' }) } as const
        messages.push({ ...speaker, text, at: created_at, partial: status !== 'complete' })
      }
      const agent = await database.collection(agentCollection).get(chat.agent_id)
      return { title: chat.title, messages, ...(agent && { agentName: agent.name }) }
    },
    async messages({ userId, chatId, from, limit }, { signal }) {
      const chat = await database.collection(chatCollection).get(chatId)
      const deleted = chat?.listing === 'deleted'
      if (chat?.user_id !== userId || (chat.deleting && !deleted)) return undefined
      const items: ChatMessage[] = []
      const to = deleted ? from : Math.min(chat.message_count, from + Math.min(limit, maxMessages))
      for await (const message of messagesAlong(database, chat.path, { order: 'ascending', from, to })) {
        signal.throwIfAborted()
        if (message.status !== 'open') items.push(readMessage(message))
      }
      return {
        ...{
          title: deleted ? null : chat.title,
          agentId: chat.agent_id,
          spaceId: chat.space_id,
          hidden: deleted || chat.listing === 'hidden',
          guests: chat.guests !== null,
        },
        ...(deleted && { deleted: true as const }),
        // Until one of two answers is chosen, none of them is what was said.
        active: chat.active_run_id !== null || (chat.comparison ?? null) !== null,
        updatedAt: chat.updated_at,
        messageCount: chat.message_count,
        items,
      }
    },
  }
}

const maxMessages = 500

/** Who wrote a message that is no tool's. */
const writerOf = ({ role, sent_by: sender }: Pick<Message, 'role' | 'sent_by'>): 'person' | 'agent' =>
  role === 'user' && sender === undefined ? 'person' : 'agent'

function readMessage(message: Message): ChatMessage {
  const { id, sequence, role, status, content, created_at } = message
  const tools = content.flatMap((part) => (part.type === 'tool_call' || part.type === 'tool_result' ? [part.name] : []))
  const text = role === 'tool' ? content.map(resultText).join('\n\n') : markdownText(content.filter(({ type }) => type !== 'tool_call'))
  return {
    id,
    sequence,
    role: role === 'tool' ? 'tool' : writerOf(message),
    text,
    tools,
    at: created_at,
    ...(status !== 'complete' && { partial: true }),
  }
}

const resultText = (part: ContentPart): string => (part.type === 'tool_result' ? markdownText(part.content) : '')
