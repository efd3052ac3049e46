import { type Chats, type ChatTranscript, transcriptTooLongError } from '../../services/chats.js'

/** Chats that a test controls. */
export interface FakeChats extends Chats {
  /** Gives a user a chat. */
  add(userId: string, chatId: string, transcript: ChatTranscript): void
}

/** No user has a chat until the test adds one. */
export function createFakeChats(): FakeChats {
  const chats = new Map<string, ChatTranscript>()
  return {
    add: (userId, chatId, transcript) => void chats.set(JSON.stringify([userId, chatId]), transcript),
    async transcript({ userId, chatId, maxCharacters }, { signal }) {
      signal.throwIfAborted()
      const found = chats.get(JSON.stringify([userId, chatId]))
      const length = found?.messages.reduce((sum, { text }) => sum + text.length, 0) ?? 0
      if (length > maxCharacters) throw transcriptTooLongError.create({ maxCharacters })
      return found
    },
  }
}
