import type { ConversationMessage } from '@agent-service/sdk/services/agents'
import { expect } from 'chai'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { importCollection } from '../store/chats/import-record.js'
import { messageCollection } from '../store/chats/message.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { storeChatWithEarlier } from './earlier-messages.js'

const now = '2026-01-01T00:00:00.000Z'
const signal = new AbortController().signal
const chat = newChat({ id: 'c', user_id: 'u', agent_id: 'a', title: 'Moved' }, now)

const said = (role: 'user' | 'assistant', text: string): ConversationMessage => ({ role, content: [{ type: 'text', text }] })
const many = (count: number): readonly ConversationMessage[] =>
  Array.from({ length: count }, (_, index) => said(index % 2 === 0 ? 'user' : 'assistant', `text ${index}`))

function begin() {
  const { database, documents } = createMemoryDatabase()
  const texts = (): readonly string[] =>
    [...documents(messageCollection).values()]
      .sort((one, other) => one.sequence - other.sequence)
      .map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : part.type)).join())
  return { database, documents, texts }
}

describe('a chat that begins with earlier messages', () => {
  for (const count of [1, 99, 100, 101, 250])
    it(`has all ${count} of them, in order`, async () => {
      const { database, documents, texts } = begin()
      const stored = await storeChatWithEarlier(database, chat, many(count), { now, signal })
      expect(stored.message_count).to.equal(count)
      expect(texts()).to.deep.equal(Array.from({ length: count }, (_, index) => `text ${index}`))
      expect(documents(chatCollection).get('c')).to.deep.equal(stored)
      expect(documents(importCollection).size).to.equal(0)
    })

  it('has messages that are larger than a transaction should be', async () => {
    const { database, texts } = begin()
    const large = ['a', 'b', 'c'].map((letter) => said('user', letter.repeat(3_000_000)))
    await storeChatWithEarlier(database, chat, large, { now, signal })
    expect(texts().map((text) => [text[0], text.length])).to.deep.equal([
      ['a', 3_000_000],
      ['b', 3_000_000],
      ['c', 3_000_000],
    ])
  })

  it('gives an answer the run of what it answers, and each message of a person one of its own', async () => {
    const { database, documents } = begin()
    await storeChatWithEarlier(database, chat, [said('user', '1'), said('assistant', '2'), said('assistant', '3'), said('user', '4')], {
      now,
      signal,
    })
    const [first, second, third, fourth] = [...documents(messageCollection).values()].sort((one, other) => one.sequence - other.sequence)
    expect(second?.run_id).to.equal(first?.run_id)
    expect(third?.run_id).to.equal(first?.run_id)
    expect(fourth?.run_id).to.not.equal(first?.run_id)
  })

  it('leaves nothing when it is aborted on the way', async () => {
    const { database, documents } = begin()
    const aborted = AbortSignal.abort(new Error('gone'))
    let error: unknown
    await storeChatWithEarlier(database, chat, many(3), { now, signal: aborted }).catch((caught: unknown) => {
      error = caught
    })
    expect((error as Error).message).to.equal('gone')
    for (const collection of [chatCollection, messageCollection, importCollection])
      expect(documents(collection as typeof chatCollection).size).to.equal(0)
  })
})
