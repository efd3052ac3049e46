import type { Database } from '@agent-service/sdk/services/database'
import { shorten, transcriptOf } from '../context/transcript.js'
import type { SummaryWriter } from '../context/write-summary.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import type { Space } from '../store/chats/space.js'

/** The requested length of a summary, in tokens. */
const summaryLength = 1_500
/**
 * How many of the most recently changed chats are read, and how many of the newest messages of
 * each.
 */
const maxChats = 20
const maxMessages = 40
/** The most text of one message and of all of them, in UTF-16 code units. */
const maxMessageLength = 4_000
const maxMaterialLength = 200_000

/** Writes a summary of the chats of a space. */
export interface SpaceSummariser {
  /**
   * Undefined: its chats have no messages. @throws `summary_unusable`, what the inference throws,
   * the signal's reason.
   */
  summarise(
    space: Space,
    order: { readonly group: string; readonly agentId: string | undefined; readonly signal: AbortSignal },
  ): Promise<string | undefined>
}

export function createSpaceSummariser(dependencies: { readonly database: Database; readonly writer: SummaryWriter }): SpaceSummariser {
  const { database, writer } = dependencies
  const chats = database.collection(chatCollection)

  /** The newest texts of people and agents in a chat, from old to new, without tool results. */
  const materialOf = async (chat: Chat, room: number): Promise<string> => {
    const newestFirst: string[] = []
    let length = 0
    let looked = 0
    for await (const message of messagesAlong(database, chat.path, { order: 'descending', pageSize: maxMessages })) {
      looked += 1
      if (message.role !== 'tool') {
        const text = shorten(transcriptOf({ ...message, content: message.content.filter(({ type }) => type === 'text') }), maxMessageLength)
        if (length + text.length > room) break
        newestFirst.push(text)
        length += text.length
      }
      if (looked === maxMessages) break
    }
    if (length === 0) return ''
    return `#chat “${chat.title ?? ''}”, last changed ${chat.updated_at}\n${newestFirst.reverse().join('')}\n`
  }

  return {
    async summarise(space, { group, agentId, signal }) {
      const page = await chats.query({ index: 'by_space', equals: [space.id, 'current'], order: 'descending', limit: maxChats })
      const room = Math.min(maxMaterialLength, writer.maxTranscriptLength(group, summaryLength))
      const parts: string[] = []
      let left = room
      for (const chat of page.items) {
        signal.throwIfAborted()
        if (chat.user_id !== space.user_id) continue
        const part = await materialOf(chat, Math.min(left, Math.ceil(room / 4)))
        if (part === '') continue
        parts.push(part)
        left -= part.length
        if (left <= 0) break
      }
      if (parts.length === 0) return undefined
      // The most recently changed chat comes last, like the newest messages in each chat.
      const transcript = parts.reverse().join('\n')
      const attribution = { userId: space.user_id, ...(agentId === undefined ? {} : { agentId }) }
      const order = { group, length: summaryLength, attribution, signal, onUsage: () => undefined }
      return (await writer.write({ transcript, previous: undefined }, order)).text
    },
  }
}
