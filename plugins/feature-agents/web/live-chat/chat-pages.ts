import { batch, createSignal, onCleanup } from 'solid-js'
import { reconcile } from 'solid-js/store'
import { api } from '../api/index.js'
import type { Retry } from '../failures/retry-note.js'
import type { ChatParts } from './chat-handlers.js'
import type { Chat } from './chat-store.js'
import { readAsked } from './read-asked.js'
import { createReadBeside } from './read-beside.js'

const pageSize = 50
/** Behind every message: the page before it is the newest. */
const afterAll = 2 ** 31 - 1

/** The events that wait for the newest page. */
interface Held {
  hold(): void
  release(position: number): void
}

/** Reads the newest page of a chat, and older ones when asked for. `branchId`: of the branch, unless it is that of the chat. */
export function createChatPages(chatId: string, parts: ChatParts, events: Held, seen: (chat: Chat) => Chat, branchId?: string) {
  const { messages, facts } = parts
  const { state, set } = parts.store
  const path = { chat_id: chatId }
  const [loading, setLoading] = createSignal<'first' | 'older' | undefined>('first')
  const [error, setError] = createSignal<unknown>()
  const [hasOlder, setHasOlder] = createSignal(false)
  const beside = createReadBeside(chatId, parts)
  /** Counts the readings of the newest page: only what belongs to the latest is taken. */
  let turn = 0
  onCleanup(() => {
    turn += 1
  })
  /** What the run in progress waits for, as it was read: clocks may differ, so no longer than the whole wait. */
  const waitingRetry = ({ active_run_id: runId }: Chat): Retry | undefined => {
    const found = runId === null ? undefined : facts.run(runId)?.retry
    const isSilent = messages.newest()?.content.length === 0
    if (!found || runId === null || !isSilent) return undefined
    const { failure, attempt, max_attempts: max, delay_ms, next_at } = found
    return { runId, failure, attempt, max, until: Math.min(Date.parse(next_at), Date.now() + delay_ms) }
  }
  const load = async (): Promise<void> => {
    turn += 1
    const mine = turn
    events.hold()
    const branch = state.chat?.branch_id
    try {
      const [chat, page, asked] = await Promise.all([
        api.get('/api/chats/{chat_id}', { path }).then(seen),
        api.get('/api/chats/{chat_id}/messages', {
          path,
          query: { limit: pageSize, before: afterAll, ...(branchId !== undefined && { branch_id: branchId }) },
        }),
        readAsked(chatId, 'pending'),
      ])
      if (mine !== turn) return
      batch(() => {
        set({ chat, ...(chat.active_run_id === null && { stopping: false }) })
        messages.replaceAll(page.items)
        set('asked', reconcile(asked))
        facts.takeRead(page.runs)
        set('retry', waitingRetry(chat))
        setHasOlder((page.items[0]?.sequence ?? 0) > 0)
        setError(undefined)
        setLoading(undefined)
        events.release(Number(page.items.find(({ event_id }) => event_id !== undefined)?.event_id ?? 0))
      })
      // The page may be older than the chat, and of the branch before.
      if (branch !== undefined && chat.branch_id !== branch) return void load()
      await beside.read(chat)
    } catch (cause) {
      if (mine !== turn) return
      setError(cause)
      setLoading(undefined)
    }
  }
  const loadOlder = async (limit = pageSize): Promise<void> => {
    const first = messages.oldest()
    if (!first || loading() || !hasOlder()) return
    setLoading('older')
    const mine = turn
    try {
      const page = await api.get('/api/chats/{chat_id}/messages', { path, query: { limit, before: first.sequence } })
      if (mine !== turn) return
      batch(() => {
        messages.takeAll(page.items)
        facts.takeRead(page.runs)
      })
      setHasOlder((page.items[0]?.sequence ?? 0) > 0)
    } catch (cause) {
      if (mine === turn) setError(cause)
    } finally {
      if (mine === turn) setLoading(undefined)
    }
  }
  return {
    loading,
    error,
    hasOlder,
    load,
    loadOlder,
    readCalls: beside.readCalls,
    /** Forgets the oldest of many messages; they are read again when the person scrolls up to them. */
    trim: (): void =>
      batch(() => {
        if (loading() === undefined && messages.trim()) setHasOlder(true)
      }),
  }
}
