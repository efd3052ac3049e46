import { type ChatMessages, type Chats, type ChatTranscript, transcriptTooLongError } from '../../services/chats.js'

/** Chats that a test controls. */
export interface FakeChats extends Chats {
  /** Gives a user a chat. */
  add(userId: string, chatId: string, transcript: ChatTranscript): void
  /** Gives a user a chat with messages, or changes it; undefined deletes it. */
  put(userId: string, chatId: string, chat: ChatMessages | undefined): void
}

/** No user has a chat until the test adds one. */
export function createFakeChats(): FakeChats {
  const chats = new Map<string, ChatTranscript>()
  const messages = new Map<string, ChatMessages>()
  return {
    add: (userId, chatId, transcript) => void chats.set(JSON.stringify([userId, chatId]), transcript),
    async transcript({ userId, chatId, maxCharacters }, { signal }) {
      signal.throwIfAborted()
      const found = chats.get(JSON.stringify([userId, chatId]))
      const length = found?.messages.reduce((sum, { text }) => sum + text.length, 0) ?? 0
      if (length > maxCharacters) throw transcriptTooLongError.create({ maxCharacters })
      return found
    },
    put(userId, chatId, chat) {
      const key = JSON.stringify([userId, chatId])
      if (chat === undefined) messages.delete(key)
      else messages.set(key, chat)
    },
    async messages({ userId, chatId, from, limit }, { signal }) {
      signal.throwIfAborted()
      const found = messages.get(JSON.stringify([userId, chatId]))
      return found && { ...found, items: found.items.filter(({ sequence }) => sequence >= from && sequence < from + limit) }
    },
  }
}
