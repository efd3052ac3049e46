import type { Database, Page, StoredObject, TextSearch } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type Chat, chatCollection, newChat } from '../store/chats/chat.js'
import type { Message } from '../store/chats/message.js'
import { searchChats } from './search-chats.js'

const signal = new AbortController().signal

const chat = (id: string, changes: Partial<Chat> = {}): Chat => newChat({ id, user_id: 'u', agent_id: 'a', title: 'word', ...changes }, '')

const message = (number: number, chatId: string): Message => ({
  ...{ id: `m${number}`, chat_id: chatId, branch_id: chatId, user_id: 'u', run_id: 'r', role: 'user', status: 'complete' },
  ...{ content: [{ type: 'text', text: 'a word' }], sequence: number, created_at: '' },
})

/** A store that finds everything, page by page, and counts its searches. */
function begin(chats: readonly Chat[], messages: readonly Message[]) {
  let searches = 0
  const page = <Document extends StoredObject>(documents: readonly Document[], { cursor, limit = 50 }: TextSearch): Page<Document> => {
    searches += 1
    const from = cursor === undefined ? 0 : Number(cursor)
    const next = from + limit
    return { items: documents.slice(from, next), ...(next < documents.length ? { nextCursor: String(next) } : {}) }
  }
  const database = {
    collection: ({ name }: { readonly name: string }) =>
      name === chatCollection.name
        ? {
            search: async (search: TextSearch) => page(chats, search),
            get: async (id: string) => chats.find((known) => known.id === id),
          }
        : { search: async (search: TextSearch) => page(messages, search) },
  } as unknown as Database
  return {
    searches: () => searches,
    find: (limit: number, cursor?: string) => searchChats(database, { userId: 'u', text: 'word', limit, cursor, signal }),
  }
}

describe('the hits of a search', () => {
  it('exclude hidden chats, chats that are being deleted or were deleted, and chats of others', async () => {
    const chats = [chat('seen'), chat('hidden', { listing: 'hidden' }), chat('going', { deleting: true })]
    const ids = ['seen', 'hidden', 'going', 'gone']
    const { find } = begin(
      chats,
      ids.map((id, number) => message(number, id)),
    )
    const { items, next_cursor } = await find(50)
    expect(items.map(({ chat_id, message_id }) => [chat_id, message_id])).to.deep.equal([
      ['seen', undefined],
      ['seen', 'm0'],
    ])
    expect(next_cursor).to.equal(null)
    const foreign = begin([chat('theirs', { user_id: 'other' })], [message(0, 'theirs')])
    expect((await foreign.find(50)).items.filter(({ message_id }) => message_id !== undefined)).to.deep.equal([])
  })

  it('come from a limited number of pages per request, and continue with the cursor', async () => {
    const hidden = Array.from({ length: 35 }, (_, number) => message(number, 'hidden'))
    const { find, searches } = begin([chat('seen'), chat('hidden', { listing: 'hidden' })], [...hidden, message(99, 'seen')])
    const seen: unknown[] = []
    let cursor: string | undefined
    let requests = 0
    do {
      const before = searches()
      const page = await find(1, cursor)
      expect(searches() - before).to.be.at.most(10)
      seen.push(...page.items.map(({ message_id }) => message_id))
      cursor = page.next_cursor ?? undefined
      requests += 1
    } while (cursor !== undefined && requests < 20)
    expect(seen).to.deep.equal([undefined, 'm99'])
  })
})
