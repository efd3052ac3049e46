import { batch } from 'solid-js'
import { produce, reconcile, unwrap } from 'solid-js/store'
import type { Schemas } from '../api/index.js'
import type { ChatStore, Message, Part } from './chat-store.js'
import type { LiveCalls } from './live-calls.js'
import type { LiveTexts } from './live-texts.js'

/** Beyond so many messages, the oldest are forgotten while the newest are looked at. */
const maxMessages = 200
const keptMessages = 100

export type LiveMessages = ReturnType<typeof createLiveMessages>

/** The messages of a chat in their order, as they were read and as events tell them. */
export function createLiveMessages(chatId: string, { state, set }: ChatStore, texts: LiveTexts, calls: LiveCalls) {
  /** Sorts once however many they are: what a page costs does not grow with what is there. */
  const takeAll = (messages: readonly Message[]): void => {
    const known = unwrap(state).messages
    const fresh = messages.filter(({ id }) => known[id] === undefined).map(({ id }) => id)
    for (const message of messages) takeContent(message)
    if (fresh.length > 0)
      set('order', (before) => [...before, ...fresh].sort((one, other) => (known[one]?.sequence ?? 0) - (known[other]?.sequence ?? 0)))
  }
  const takeContent = (message: Message): void => {
    for (const [index, part] of message.content.entries())
      if (part.type === 'text' || part.type === 'reasoning') texts.set(message.id, index, part.text)
    set('messages', message.id, reconcile(message))
    for (const part of message.content)
      if (part.type === 'tool_result') calls.answer(part.call_id, part.content, part.is_error, part.outcome)
    const made = message.made_files ?? []
    for (const callId of new Set(made.map(({ call_id }) => call_id)))
      calls.takeFiles(
        callId,
        made.filter(({ call_id }) => call_id === callId),
      )
  }
  return {
    takeAll,
    /** Takes a message that an event or an answer of the service tells; those of other branches are left out. */
    take(message: Message): void {
      if (state.chat && message.branch_id !== state.chat.branch_id && !state.messages[message.id] && message.sequence < state.order.length)
        return
      if (message.status === 'complete' && message.role !== 'user') set({ notice: undefined, retry: undefined })
      // An event does not name the alternatives that an earlier reading told.
      const alternatives = message.alternatives ?? state.messages[message.id]?.alternatives
      takeAll([alternatives === undefined ? message : { ...message, alternatives: [...alternatives] }])
    },
    /** Begins anew with the newest page. */
    replaceAll(messages: readonly Message[]): void {
      set('order', [])
      set('messages', reconcile({}))
      takeAll(messages)
    },
    oldest: (): Message | undefined => state.messages[state.order[0] ?? ''],
    newest: (): Message | undefined => state.messages[state.order.at(-1) ?? ''],
    /** Makes room for a part that deltas speak of before the message has it. False at a gap. */
    ensurePart(messageId: string, index: number, part: Part): boolean {
      const message = state.messages[messageId]
      if (!message || index > message.content.length) return false
      if (index === message.content.length) set('messages', messageId, 'content', (before) => [...before, part])
      return true
    },
    /** Takes back what a model call wrote that is made again. */
    cut(cut: Schemas['VoidedText'] | undefined): void {
      if (!cut) return
      texts.cut(cut.message_id, cut.part, cut.offset)
      if (state.messages[cut.message_id])
        set('messages', cut.message_id, 'content', (before) => before.slice(0, cut.offset > 0 ? cut.part + 1 : cut.part))
    },
    /** Whether a message began a branch and came by events alone, which do not name its alternatives. */
    lackAlternatives: (): boolean =>
      state.order.some((id, index) => {
        const message = state.messages[id]
        if (!message || message.alternatives !== undefined) return false
        const before = state.messages[state.order[index - 1] ?? '']?.branch_id ?? (message.sequence === 0 ? chatId : message.branch_id)
        return message.branch_id !== before
      }),
    /** Forgets the oldest of many messages. False: they are not that many. */
    trim(): boolean {
      if (state.order.length <= maxMessages) return false
      const gone = state.order.slice(0, -keptMessages)
      const goneCalls = gone.flatMap((id) =>
        (state.messages[id]?.content ?? []).flatMap((part) => (part.type === 'tool_call' ? part.call_id : [])),
      )
      batch(() => {
        set('order', (before) => before.slice(-keptMessages))
        set(
          produce((known) => {
            for (const id of gone) delete known.messages[id]
            for (const id of goneCalls) delete known.calls[id]
          }),
        )
      })
      texts.forget(gone)
      return true
    },
  }
}
