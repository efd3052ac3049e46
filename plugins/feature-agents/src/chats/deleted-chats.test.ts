import { expect } from 'chai'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { runCollection } from '../store/runs/run.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { deleteChat } from './delete-chat.js'
import { restoreChat } from './deleted-chats.js'

const now = '2026-01-01T00:00:00.000Z'
const place = { chatId: 'above', userId: 'u' }

/** A chat whose run has started one of a hidden chat. */
const begin = () => {
  const { database, documents } = createMemoryDatabase()
  const chats = documents(chatCollection)
  chats.set('above', newChat({ id: 'above', user_id: 'u', agent_id: 'a', title: null, message_count: 2 }, now))
  chats.set('below', newChat({ id: 'below', user_id: 'u', agent_id: 'a', title: null, message_count: 2, listing: 'hidden' }, now))
  documents(runCollection).set('first', queuedRun('first', 'u', { chat_id: 'above', status: 'completed' }))
  const parent = { run_id: 'first', call_id: null, depth: 1 }
  documents(runCollection).set('second', queuedRun('second', 'u', { chat_id: 'below', status: 'completed', parent }))
  const [events, audit] = [{ record: () => undefined }, { record: () => undefined }]
  const restore = () => restoreChat({ database, events, audit }, place)
  const remove = (rest: (chatId: string) => Promise<void>) =>
    deleteChat(
      {
        ...{ database, events, keepDays: 30, clock: { now: () => Date.parse(now) } },
        runs: { cancel: async (id) => queuedRun(id) },
        parts: { erase: async () => undefined, rest: ({ chatId }) => rest(chatId) },
      },
      { ...place, signal: new AbortController().signal },
    )
  const deleting = () => [...chats.values()].map((chat) => chat.deleting)
  return { restore, remove, deleting, deleted: documents(deletedChatCollection) }
}

describe('a deleted chat with hidden ones below it', () => {
  it('is deleted and restored with them', async () => {
    const { restore, remove, deleting } = begin()
    await remove(async () => undefined)
    expect(deleting()).to.deep.equal([true, true])
    await restore()
    expect(deleting()).to.deep.equal([false, false])
  })

  for (const at of ['above', 'below'])
    it(`is whole if it is restored before its deletion is through, at the chat ${at}`, async () => {
      const { restore, remove, deleting, deleted } = begin()
      await remove(async (chatId) => void (chatId === at && (await restore())))
      expect([deleting(), deleted.size]).to.deep.equal([[false, false], 0])
    })
})
