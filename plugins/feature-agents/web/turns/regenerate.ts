import { type Action, createAction } from '@agent-service/sdk/web'
import { api } from '../api/index.js'
import type { ChatState } from '../live-chat/chat-state.js'

/** Has the agent answer again instead of the answer that begins with this message, on a branch of its own. */
async function regenerate(chat: ChatState, message_id: string): Promise<void> {
  const path = { chat_id: chat.chatId }
  const choice = chat.chosen.shown()
  // The same for every click until there is one branch more or another choice, also in another tab.
  const idempotencyKey = `regenerate-${[message_id, chat.state.chat?.branch_count ?? 1, choice?.agent_id, choice?.model].join('-')}`
  await api.post('/api/chats/{chat_id}/regenerate', { path, body: { message_id, ...choice }, idempotencyKey })
  // What happens while it is read is applied after it: an answer alone could be older than the events.
  await chat.load()
}

/** The answering again of one turn. It is run with the first message of the answer, or the person's before it. */
export const createRegeneration = (chat: ChatState): Action<[messageId: string]> => createAction((messageId) => regenerate(chat, messageId))
