import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import { type Message, type MessageStatus, messageCollection } from '../store/chats/message.js'
import { createChats } from './transcript.js'

const { signal } = new AbortController()
const at = '2026-01-01T00:00:00.000Z'
const [userId, chatId] = ['user-1', 'chat-1']

const chat: Chat = {
  ...{
    id: chatId,
    user_id: userId,
    agent_id: 'agent-1',
    title: null,
    created_at: at,
    updated_at: at,
    active_run_id: null,
    message_count: 5,
  },
  ...{ branch_id: chatId, path: [{ branch_id: chatId, from: 0 }], branch_count: 1, listing: 'current', space_id: null, compaction: true },
  ...{ model: null, pinned: false, tags: [], titling: 'closed', deleting: false, guests: null, callers: [] },
}
const message = (sequence: number, role: Message['role'], status: MessageStatus, text: string): Message => ({
  ...{ id: `message-${sequence}`, chat_id: chatId, branch_id: chatId, user_id: userId, run_id: 'run-1', role, status, sequence },
  ...{ content: [{ type: 'text', text }], created_at: at },
})

describe('the messages of a chat for what learns from chats', () => {
  it('tell answers that broke off from whole ones, and leave out those that are still growing', async () => {
    const database = createMemoryDatabase([chatCollection, messageCollection])
    await database.collection(chatCollection).put(chat)
    for (const each of [
      message(0, 'user', 'complete', 'Book a table.'),
      message(1, 'assistant', 'partial', 'I have booked'),
      message(2, 'assistant', 'failed', ''),
      message(3, 'assistant', 'complete', 'I have booked the table.'),
      message(4, 'assistant', 'open', 'And I'),
    ])
      await database.collection(messageCollection).put(each)
    const read = await createChats({ database }).messages({ userId, chatId, from: 0, limit: 10 }, { signal })
    expect(read?.items.map(({ sequence, partial }) => [sequence, partial])).to.deep.equal([
      [0, undefined],
      [1, true],
      [2, true],
      [3, undefined],
    ])
  })

  it('are still to come while nobody has chosen between two answers', async () => {
    const database = createMemoryDatabase([chatCollection, messageCollection])
    const answers = [
      { branch_id: chatId, run_id: 'run-1' },
      { branch_id: 'branch-2', run_id: 'run-2' },
    ]
    const read = async (comparison: Chat['comparison']) => {
      await database.collection(chatCollection).put({ ...chat, comparison: comparison ?? null })
      return (await createChats({ database }).messages({ userId, chatId, from: 0, limit: 10 }, { signal }))?.active
    }
    expect(await read({ message_id: 'message-0', answers })).to.equal(true)
    expect(await read(null)).to.equal(false)
  })
})
