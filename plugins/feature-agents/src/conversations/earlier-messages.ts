import type { ConversationMessage } from '@agent-service/sdk/services/agents'
import type { Database } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import { deleteByIndex } from '../common/delete-by-index.js'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import { importCollection } from '../store/chats/import-record.js'
import { type Message, messageCollection } from '../store/chats/message.js'

/** The most messages of one transaction, and the most bytes unless one message alone has more. */
const maxMessages = 100
const maxBytes = 4 * 1024 * 1024

/**
 * Stores a new chat that begins with messages from elsewhere. It becomes visible as a whole or not
 * at all; the next import of this user deletes what an unfinished one has left.
 */
export async function storeChatWithEarlier(
  database: Database,
  chat: Chat,
  earlier: readonly ConversationMessage[],
  { now, signal }: { readonly now: string; readonly signal: AbortSignal },
): Promise<Chat> {
  const chats = database.collection(chatCollection)
  if (earlier.length === 0) {
    await chats.insert(chat)
    return chat
  }
  const imports = database.collection(importCollection)
  await imports.insert({ id: chat.id, user_id: chat.user_id, started_at: now })
  try {
    for (const piece of pieces(messagesOf(chat, earlier, now))) {
      signal.throwIfAborted()
      await database.transaction(async (transaction) => {
        for (const message of piece) transaction.insert(messageCollection, message)
      })
    }
    const whole: Chat = { ...chat, message_count: earlier.length }
    await database.transaction(async (transaction) => {
      transaction.delete(importCollection, chat.id)
      transaction.insert(chatCollection, whole)
    })
    return whole
  } catch (error) {
    await deleteByIndex(database, messageCollection, 'of_chat', chat.id)
    await imports.delete(chat.id)
    throw error
  }
}

function messagesOf(chat: Chat, earlier: readonly ConversationMessage[], now: string): readonly Message[] {
  // Each answer belongs to what it answers.
  let run = uuidv7()
  return earlier.map(({ role, content }, sequence): Message => {
    if (role !== 'assistant') run = uuidv7()
    return {
      ...{ id: uuidv7(), chat_id: chat.id, branch_id: chat.id, user_id: chat.user_id, run_id: run },
      ...{ role: role === 'assistant' ? 'assistant' : 'user', status: 'complete', content, sequence, created_at: now },
    }
  })
}

function* pieces(messages: readonly Message[]): Iterable<readonly Message[]> {
  let piece: Message[] = []
  let bytes = 0
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message))
    if (piece.length > 0 && (piece.length === maxMessages || bytes + size > maxBytes)) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(message)
    bytes += size
  }
  if (piece.length > 0) yield piece
}
