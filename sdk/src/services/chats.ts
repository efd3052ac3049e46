import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** What one speaker said, in a {@link ChatTranscript}. */
export interface TranscriptMessage {
  /** Who said it. The steps of one answer are separate messages in a row. */
  readonly role: 'person' | 'agent'
  /**
   * Markdown. Pictures, files and used tools are named in it; reasoning and the results of tools
   * are left out.
   */
  readonly text: string
  /** RFC 3339. */
  readonly at: string
  /** Whether the answer broke off. */
  readonly partial: boolean
}

/** The branch of a chat that is shown, as it was read. */
export interface ChatTranscript {
  /** Null: the chat has none. */
  readonly title: string | null
  /** The name of its agent; absent if the agent was deleted. */
  readonly agentName?: string
  /** The oldest first, without those that are still growing. */
  readonly messages: readonly TranscriptMessage[]
}

/**
 * The chats of the users, for features that show them elsewhere.
 *
 * @example
 * const transcript = await context.use(chatsService).transcript({ userId, chatId, maxCharacters: 100_000 }, { signal })
 * context.log.debug('Read a chat.', { messages: transcript?.messages.length })
 */
export interface Chats {
  /**
   * Reads a chat of the user. Asks no policy: ask for `exportChat` before. `undefined` if the user
   * has no such chat. @throws {@link transcriptTooLongError} if its texts have more than
   * `maxCharacters` UTF-16 code units, the signal's reason.
   */
  transcript(
    request: { readonly userId: string; readonly chatId: string; readonly maxCharacters: number },
    options: { readonly signal: AbortSignal },
  ): Promise<ChatTranscript | undefined>
}

/** The chats of the users. Provided by `feature-agents`. */
export const chatsService = defineServiceReference<Chats>()('chats')

/** The texts of a chat are longer than the caller can use. */
export const transcriptTooLongError = defineError<{ readonly maxCharacters: number }>({
  code: 'chat_too_long',
  status: 413,
  title: 'Chat too long',
  message: ({ maxCharacters }) => `The texts of this chat have more than ${maxCharacters} characters, which is the maximum.`,
})
