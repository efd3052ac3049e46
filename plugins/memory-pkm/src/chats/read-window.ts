import type { ChatMessage, Chats } from '@agent-service/sdk/services/chats'
import { redactInTurns } from '../guards/redact-in-turns.js'
import type { ConsolidationPass } from '../store/pass-records.js'

/** The messages of a pass. */
export interface ChatWindow {
  /** Those of the pass that may be learnt from, and those before them, by sequence. */
  readonly messages: ReadonlyMap<number, ChatMessage>
  /** The sequences of the pass that may be learnt from, in order. */
  readonly sequences: readonly number[]
}

/** The most messages of one pass; the rest of a chat is for the next one. */
export const maxPassMessages = 1_000
/** The most text of one message that is read, in UTF-16 code units. */
const maxMessageLength = 100_000
/** How many messages before a pass are read for evidence. */
const maxEarlier = 500
const pageSize = 100

/**
 * Reads what a pass reads: always the same messages, with secrets masked. Undefined if the chat is gone, or another branch
 * of it is shown.
 */
export async function readWindow(
  chats: Chats,
  pass: Pick<ConsolidationPass, 'user_id' | 'chat_id' | 'from' | 'to' | 'last_message_id' | 'learn_after'>,
  { signal, redact }: { readonly signal: AbortSignal; redact(text: string): string },
): Promise<ChatWindow | undefined> {
  const messages = new Map<number, ChatMessage>()
  for (let from = Math.max(0, pass.from - maxEarlier); from < pass.to; from += pageSize) {
    const limit = Math.min(pageSize, pass.to - from)
    const chat = await chats.messages({ userId: pass.user_id, chatId: pass.chat_id, from, limit }, { signal })
    if (!chat) return undefined
    for (const message of chat.items)
      messages.set(message.sequence, { ...message, text: await redactInTurns(message.text.slice(0, maxMessageLength), redact) })
  }
  if (messages.get(pass.to - 1)?.id !== pass.last_message_id) return undefined
  const isLearnt = ({ sequence, at }: ChatMessage): boolean => sequence >= pass.from && (pass.learn_after === null || at > pass.learn_after)
  return { messages, sequences: [...messages.values()].filter(isLearnt).map(({ sequence }) => sequence) }
}
