import type { Chats, TranscriptMessage } from '@agent-service/sdk/services/chats'
import { transcriptTooLongError } from '@agent-service/sdk/services/chats'
import type { Database } from '@agent-service/sdk/services/database'
import { agentCollection } from '../store/agents/agent.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { chatCollection } from '../store/chats/chat.js'
import { markdownText } from './export-markdown.js'

/** The service `chats`. */
export function createChats({ database }: { readonly database: Database }): Chats {
  return {
    async transcript({ userId, chatId, maxCharacters }, { signal }) {
      const chat = await database.collection(chatCollection).get(chatId)
      if (chat?.user_id !== userId || chat.deleting) return undefined
      const messages: TranscriptMessage[] = []
      let length = 0
      for await (const message of messagesAlong(database, chat.path, { order: 'ascending', to: chat.message_count })) {
        signal.throwIfAborted()
        if (message.role === 'tool' || message.status === 'open') continue
        const text = markdownText(message.content)
        if (text === '') continue
        length += text.length
        if (length > maxCharacters) throw transcriptTooLongError.create({ maxCharacters })
        const { role, status, created_at } = message
        messages.push({ role: role === 'user' ? 'person' : 'agent', text, at: created_at, partial: status !== 'complete' })
      }
      const agent = await database.collection(agentCollection).get(chat.agent_id)
      return { title: chat.title, messages, ...(agent && { agentName: agent.name }) }
    },
  }
}
