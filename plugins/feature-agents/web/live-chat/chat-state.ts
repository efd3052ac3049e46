import { batch, createSignal, onCleanup } from 'solid-js'
import { api, onEvent } from '../api/index.js'
import { type ChatEvent, followChat, isTelling } from './chat-events.js'
import { type ChatParts, createChatHandlers } from './chat-handlers.js'
import { createChatPages } from './chat-pages.js'
import { type Chat, createChatStore } from './chat-store.js'
import { createChosen } from './chosen.js'
import { createContextUse } from './context-use.js'
import { createLiveCalls } from './live-calls.js'
import { createLiveMessages } from './live-messages.js'
import { createLiveTexts } from './live-texts.js'
import type { Asked } from './read-asked.js'
import { createRunFacts } from './run-facts.js'
import { type Answer, createShownAnswer } from './shown-answer.js'

export type { CallState, Message } from './chat-store.js'
export type { Answer } from './shown-answer.js'

export type ChatState = ReturnType<typeof createChatState>

/**
 * One chat: the newest page of its messages, older ones when asked for, kept up to date by events.
 * What arrives while a page is read is applied after it. `of`: the chat as if it showed that answer.
 */
export function createChatState(chatId: string, of?: Answer) {
  const parts = createParts(chatId)
  const { messages, texts, facts, context } = parts
  const { state, set } = parts.store
  const { seen, isElsewhere } = createShownAnswer(parts.store, of)
  const [heardAt, setHeardAt] = createSignal<number>()
  const reread = (): void => void load()
  const handlers = createChatHandlers(parts, seen, reread)
  const apply = (event: ChatEvent): void => {
    if (isElsewhere(event)) return
    if (isTelling(event)) setHeardAt(Date.now())
    const handle = handlers[event.event] as ((data: unknown) => void) | undefined
    handle?.(event.data)
  }
  const events = followChat(chatId, apply)
  const { load, ...pages } = createChatPages(chatId, parts, events, seen, of?.branch_id)
  onCleanup(onEvent('reset', reread))
  onCleanup(texts.stop)
  const setChat = (chat: Chat): void => batch(() => handlers['chat.updated']({ chat, chat_id: chat.id }))
  const chosen = createChosen(chatId, () => state.chat, setChat)
  void load()

  return {
    ...{ chatId, state, texts, facts, context, chosen, setChat, load, ...pages },
    /** When something of a run last came to this page; undefined if nothing has since it was opened. */
    heardAt,
    /** Whether the newest messages are being read, after events that have to wait for them. */
    isReading: events.isHeld,
    isRunning: (): boolean => typeof state.chat?.active_run_id === 'string',
    /** Takes what an answer of the service says, before its event has come. */
    takeMessage: messages.take,
    setAsked: (asked: Asked): void => set('asked', asked.call_id, asked),
    /** Asks the run to end; “stopping” stays until the service reports its end. The other one of a comparison ends, too, unless `alone`. */
    async stop(alone = false): Promise<void> {
      const { active_run_id: runId, beside_run_id: beside } = state.chat ?? {}
      if (typeof runId !== 'string' || state.stopping) return
      set('stopping', true)
      const cancel = (run_id: string) => api.post('/api/runs/{run_id}/cancel', { path: { run_id } })
      try {
        const [run] = await Promise.all([cancel(runId), !alone && typeof beside === 'string' && cancel(beside)])
        if (run.finished_at !== null) set('stopping', false)
      } catch (cause) {
        set('stopping', false)
        throw cause
      }
    },
  }
}

function createParts(chatId: string): ChatParts {
  const store = createChatStore()
  const calls = createLiveCalls(store)
  const texts = createLiveTexts()
  const messages = createLiveMessages(chatId, store, texts, calls)
  return { store, calls, texts, messages, facts: createRunFacts(chatId), context: createContextUse(chatId) }
}
