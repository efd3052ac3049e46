import type { Schemas } from '../api/index.js'
import type { ChatEvent } from './chat-events.js'
import type { Chat, ChatStore } from './chat-store.js'

/** The other answer of a comparison, which the chat does not show. */
export type Answer = Schemas['ComparedAnswer']

/** What of a chat is shown: its branch, or `of`, one answer of a comparison. */
export function createShownAnswer({ state }: ChatStore, of: Answer | undefined) {
  return {
    /** The chat as if it showed that answer. */
    seen(chat: Chat): Chat {
      if (!of) return chat
      const isOpen = chat.active_run_id === of.run_id || chat.beside_run_id === of.run_id
      return { ...chat, branch_id: of.branch_id, active_run_id: isOpen ? of.run_id : null, beside_run_id: null }
    },
    /** Whether an event is of a run that writes in another branch. */
    isElsewhere({ event, data }: ChatEvent): boolean {
      const runId = 'run_id' in data && event !== 'chat.updated' ? data.run_id : undefined
      return runId !== undefined && (of ? runId !== of.run_id : runId === state.chat?.beside_run_id)
    },
  }
}
