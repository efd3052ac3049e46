import { createSignal } from 'solid-js'
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

/** The answering again of one turn, once at a time. */
export function createRegeneration(chat: ChatState) {
  const [asking, setAsking] = createSignal(false)
  const [error, setError] = createSignal<unknown>()
  return {
    asking,
    error,
    /** `messageId`: the first one of the answer, or the person's before it. */
    async begin(messageId: string | undefined): Promise<void> {
      if (asking() || messageId === undefined) return
      setAsking(true)
      setError(undefined)
      try {
        await regenerate(chat, messageId)
      } catch (cause) {
        setError(cause)
      } finally {
        setAsking(false)
      }
    },
  }
}
