import { expect } from 'chai'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { type Chat, newChat } from '../chats/chat.js'
import { storeTags } from './store-tags.js'
import { chatTagCollection, normalTags, userTagCollection } from './tag.js'

describe('tags', () => {
  const problemsOf = (...tags: readonly string[]) => normalTags(tags).problems.map(({ path }) => path)

  it('are in NFC, without spaces around them', () => {
    expect(normalTags([' Caf\u0065\u0301 ', '日本', '👩‍🚀']).tags).to.deep.equal(['Caf\u00e9', '日本', '👩‍🚀'])
    expect(problemsOf('Caf\u0065\u0301', 'a', 'b')).to.deep.equal([])
  })

  it('are refused if they are empty, too long or too many, or have control characters', () => {
    expect(problemsOf('a', ' ', 'x'.repeat(41), '😀'.repeat(40), 'b\u0000', 'c\nd', 'e\u202ef', 'g\u2028h')).to.deep.equal([
      ...['/1', '/2', '/4', '/5', '/6', '/7'],
    ])
    expect(problemsOf('\ud800')).to.deep.equal(['/0'])
    const many = Array.from({ length: 21 }, (_, index) => `t${index}`)
    expect(problemsOf(...many.slice(1))).to.deep.equal([])
    expect(problemsOf(...many)).to.deep.equal([''])
  })

  it('are refused if they differ in case alone', () => {
    expect(problemsOf('Work', 'wOrk')).to.deep.equal(['/1'])
    expect(problemsOf('STRASSE', 'straße', 'Σίσυφος', 'ΣΊΣΥΦΟΣ')).to.deep.equal(['/1', '/3'])
    expect(normalTags(['Work', 'b', 'WORK']).problems[0]?.message).to.equal('is the same tag as number 0; case makes no difference')
  })
})

describe('the records of tags', () => {
  const begin = () => {
    const { database, documents } = createMemoryDatabase()
    const chat = (id: string, changes: Partial<Chat>): Chat => newChat({ id, user_id: 'u', agent_id: 'a', title: null, ...changes }, 'now')
    const store = (before: Chat | undefined, after: Chat | undefined) =>
      database.transaction((transaction) => storeTags(transaction, before, after))
    const counts = () => Object.fromEntries([...documents(userTagCollection).values()].map(({ tag, chats }) => [tag, chats]))
    const records = () => [...documents(chatTagCollection).values()].map(({ chat_id, key }) => `${chat_id} ${key}`).sort()
    return { chat, store, counts, records, documents }
  }

  it('follow the chats, and count them', async () => {
    const { chat, store, counts, records } = begin()
    const one = chat('one', { tags: ['Work', 'b'] })
    await store(chat('one', {}), one)
    await store(undefined, chat('two', { tags: ['WORK'] }))
    expect(counts()).to.deep.equal({ Work: 2, b: 1 })
    await store(one, { ...one, tags: ['work', 'c'] })
    expect([counts(), records()]).to.deep.equal([{ Work: 2, c: 1 }, ['one c', 'one work', 'two work']])
    await store(chat('one', { tags: ['work', 'c'] }), undefined)
    await store(chat('two', { tags: ['WORK'] }), undefined)
    expect([counts(), records()]).to.deep.equal([{}, []])
  })

  it('have what lists select by', async () => {
    const { chat, store, documents } = begin()
    const before = chat('one', { tags: ['a'] })
    await store(undefined, before)
    await store(before, { ...before, pinned: true, listing: 'archived', space_id: 's', updated_at: 'later' })
    expect([...documents(chatTagCollection).values()][0]).to.include({
      ...{ user_id: 'u', chat_id: 'one', key: 'a', pinned: true, listing: 'archived', space_id: 's', active_at: 'later' },
    })
  })

  it('cost nothing for a chat without tags', async () => {
    const { chat } = begin()
    await storeTags(undefined as never, chat('one', {}), chat('one', { pinned: true }))
  })
})
