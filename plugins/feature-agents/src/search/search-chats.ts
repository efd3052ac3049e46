import { setImmediate as nextTurn } from 'node:timers/promises'
import { pageCursorError } from '@agent-service/sdk/contracts/http-route'
import { type Database, searchable } from '@agent-service/sdk/services/database'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import { type Message, messageCollection } from '../store/chats/message.js'
import { findWords, type QueryWord, queryWords } from './marks.js'
import { type Snippet, snippetOf } from './snippet.js'

/** A hit in a chat. Without a message it is the chat's title. */
export type ChatHit = {
  readonly chat_id: string
  readonly chat_title: string | null
  readonly archived: boolean
  readonly message_id?: string
  readonly role?: Message['role']
  readonly branch_id?: string
  readonly sequence?: number
  readonly snippet: Snippet
  readonly created_at: string
}

export interface ChatSearch {
  readonly userId: string
  readonly text: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly signal: AbortSignal
}

/** How many pages of the store one request reads, if many matches must not be shown. */
const maxPages = 10

/**
 * Searches a user's chats: first the titles, then the texts of people and agents, each newest
 * first. Hidden chats, tool results, reasoning, and chats that are being deleted are not found.
 * @throws `cursor_invalid`, `search_busy`, the signal's reason.
 */
export async function searchChats(
  database: Database,
  search: ChatSearch,
): Promise<{ readonly items: readonly ChatHit[]; readonly next_cursor: string | null }> {
  const { userId, text, limit, signal } = search
  const chats = searchable(database.collection(chatCollection))
  const messages = searchable(database.collection(messageCollection))
  const words = queryWords(text)
  /** Cached, since many hits are in one chat. */
  const seen = new Map<string, Chat | undefined>()
  const listedChat = async (chatId: string): Promise<Chat | undefined> => {
    if (!seen.has(chatId)) seen.set(chatId, await chats.get(chatId))
    const chat = seen.get(chatId)
    return chat?.user_id === userId && isListed(chat) ? chat : undefined
  }
  const items: ChatHit[] = []
  let place = placeIn(search.cursor)
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { phase, cursor } = place
    const asked = { scope: userId, text, limit: limit - items.length, signal, ...(cursor === undefined ? {} : { cursor }) }
    let next: string | undefined
    if (phase === 'titles') {
      const page = await chats.search(asked)
      for (const chat of page.items) if (isListed(chat)) items.push(titleHit(chat, words))
      next = page.nextCursor
    } else {
      const page = await messages.search(asked)
      for (const message of page.items) {
        const chat = await listedChat(message.chat_id)
        const hit = chat && messageHit(chat, message, words)
        if (hit) items.push(hit)
        // Long messages take time; other requests run in between.
        await nextTurn()
      }
      next = page.nextCursor
    }
    signal.throwIfAborted()
    if (next === undefined && phase === 'messages') return { items, next_cursor: null }
    place = next === undefined ? { phase: 'messages', cursor: undefined } : { phase, cursor: next }
    if (items.length === limit) break
  }
  return { items, next_cursor: `${place.phase === 'titles' ? 't' : 'm'}${place.cursor ?? ''}` }
}

interface SearchPosition {
  readonly phase: 'titles' | 'messages'
  readonly cursor: string | undefined
}

function placeIn(cursor: string | undefined): SearchPosition {
  if (cursor === undefined) return { phase: 'titles', cursor: undefined }
  const inner = cursor.slice(1)
  if (cursor.startsWith('m')) return { phase: 'messages', cursor: inner === '' ? undefined : inner }
  if (cursor.startsWith('t') && inner !== '') return { phase: 'titles', cursor: inner }
  throw pageCursorError.create({})
}

const isListed = (chat: Chat): boolean => chat.listing !== 'hidden' && !chat.deleting

const ofChat = (chat: Chat): Pick<ChatHit, 'chat_id' | 'chat_title' | 'archived'> => ({
  chat_id: chat.id,
  chat_title: chat.title,
  archived: chat.listing === 'archived',
})

function titleHit(chat: Chat, words: readonly QueryWord[]): ChatHit {
  const title = chat.title ?? ''
  return { ...ofChat(chat), snippet: snippetOf(title, findWords(title, words).marks), created_at: chat.created_at }
}

/** Undefined: the words are in its reasoning. */
function messageHit(chat: Chat, message: Message, words: readonly QueryWord[]): ChatHit | undefined {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const { marks, all } = findWords(text, words)
  if (!all && message.content.some((part) => part.type === 'reasoning' && part.text !== '')) return undefined
  const { id, role, branch_id, sequence, created_at } = message
  return { ...ofChat(chat), message_id: id, role, branch_id, sequence, snippet: snippetOf(text, marks), created_at }
}
