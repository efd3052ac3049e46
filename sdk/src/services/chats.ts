import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** What one speaker said, in a {@link ChatTranscript}. */
export interface TranscriptMessage {
  /** Who said it. The steps of one answer are separate messages in a row. */
  readonly role: 'person' | 'agent'
  /** The name of another agent than the chat's, which asked it in the place of the person. Empty: it was deleted. */
  readonly name?: string
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

/** One message of a chat, for what learns from chats. */
export interface ChatMessage {
  /** Never changes. */
  readonly id: string
  /** The place in the branch that is shown, from 0. */
  readonly sequence: number
  /**
   * Who wrote it. `agent`: the chat's, or another one that asked it in the place of the person.
   * `tool`: the results of an agent's tool calls.
   */
  readonly role: 'person' | 'agent' | 'tool'
  /** Markdown, without reasoning. That of a tool: what the agent was given, as text. */
  readonly text: string
  /** The tools that it calls, or whose results it has. */
  readonly tools: readonly string[]
  /** RFC 3339, in UTC. */
  readonly at: string
  /** The answer broke off: it was cancelled, or has failed. Absent: it is whole. */
  readonly partial?: true
}

/** A part of the branch of a chat that is shown. */
export interface ChatMessages {
  /** Null: the chat has none. */
  readonly title: string | null
  /** The agent of the chat. */
  readonly agentId: string
  /** The space that it belongs to. */
  readonly spaceId: string | null
  /** Whether it is in no list: it is temporary, was deleted, belongs to another chat's run, or was made for a trial. */
  readonly hidden: boolean
  /** It was deleted and can be restored: its messages are not shown. Absent: it was not. */
  readonly deleted?: true
  /** Whether others than the user write or read in it: nothing of it may become a memory. */
  readonly guests: boolean
  /** Whether a run goes on in it, or its person has not chosen between two answers yet. */
  readonly active: boolean
  /** Of its last message or change. RFC 3339, in UTC. */
  readonly updatedAt: string
  /** The sequence of the next message. */
  readonly messageCount: number
  /** The oldest first, without those that are still growing. */
  readonly items: readonly ChatMessage[]
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
   * `maxCharacters` UTF-16 code units, {@link chatTemporaryError}, the signal's reason.
   */
  transcript(
    request: { readonly userId: string; readonly chatId: string; readonly maxCharacters: number },
    options: { readonly signal: AbortSignal },
  ): Promise<ChatTranscript | undefined>
  /**
   * Reads messages of a chat of the user, from the sequence `from` on; at most `limit`, 0 to 500.
   * Asks no policy: for background work of the user's own. `undefined` if the user has no such
   * chat. @throws the signal's reason.
   */
  messages(
    request: { readonly userId: string; readonly chatId: string; readonly from: number; readonly limit: number },
    options: { readonly signal: AbortSignal },
  ): Promise<ChatMessages | undefined>
}

/** The chats of the users. Provided by `feature-agents`. */
export const chatsService = defineServiceReference<Chats>()('chats')

/** A temporary chat is for its person alone, and soon gone. */
export const chatTemporaryError = defineError<Record<string, never>>({
  code: 'chat_temporary',
  status: 409,
  title: 'Temporary chat',
  message: () => 'This chat is temporary, so it cannot be shared. Keep it first: PATCH /api/chats/{chat_id} with temporary: false.',
})

/** The texts of a chat are longer than the caller can use. */
export const transcriptTooLongError = defineError<{ readonly maxCharacters: number }>({
  code: 'chat_too_long',
  status: 413,
  title: 'Chat too long',
  message: ({ maxCharacters }) => `The texts of this chat have more than ${maxCharacters} characters, which is the maximum.`,
})
