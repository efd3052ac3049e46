import { expect } from 'chai'
import { branchCollection } from '../store/chats/branch.js'
import { type Chat, chatCollection, newChat } from '../store/chats/chat.js'
import { type Space, spaceCollection } from '../store/chats/space.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { type ChatChange, changeChat } from './change-chat.js'

const begin = (changes: Partial<Chat> = {}) => {
  const { database, documents } = createMemoryDatabase()
  documents(chatCollection).set(
    'chat',
    newChat({ id: 'chat', user_id: 'u', agent_id: 'a', title: 'T', message_count: 4, ...changes }, 'then'),
  )
  const change = (wanted: ChatChange, userId = 'u') =>
    database
      .transaction((transaction) => changeChat(transaction, { chatId: 'chat', userId, now: 'now' }, wanted))
      .catch((error: unknown) => error)
  return { change, documents }
}

const branch = (id: string, chatId: string) => ({
  ...{ id, chat_id: chatId, user_id: 'u', number: 2, fork: { branch_id: 'chat', sequence: 2 }, length: 3, created_at: 'then' },
  path: [
    { branch_id: 'chat', from: 0 },
    { branch_id: id, from: 2 },
  ],
})

describe('changing a chat', () => {
  it('switches to another branch and stores the length of the previous one', async () => {
    const { change, documents } = begin({ branch_count: 2 })
    documents(branchCollection).set('b', branch('b', 'chat'))
    expect(await change({ branchId: 'b' })).to.include({ branch_id: 'b', message_count: 3, branch_count: 2 })
    expect(documents(branchCollection).get('chat')).to.include({ number: 1, length: 4, fork: null })
    expect(await change({ branchId: 'chat' })).to.deep.include({ message_count: 4, path: [{ branch_id: 'chat', from: 0 }] })
    expect(documents(branchCollection).get('b')).to.include({ length: 3 })
  })

  it('refuses a branch of another chat, and any switch during a run', async () => {
    const { change, documents } = begin({ active_run_id: 'run' })
    documents(branchCollection).set('b', branch('b', 'chat'))
    documents(branchCollection).set('foreign', branch('foreign', 'other'))
    expect(await change({ branchId: 'foreign' })).to.have.property('code', 'not_found')
    expect(await change({ branchId: 'b' })).to.have.property('code', 'run_in_progress')
    expect(await change({ branchId: 'chat' }), 'it is there already').to.include({ branch_id: 'chat' })
  })

  it('keeps absent members', async () => {
    const { change } = begin({ listing: 'archived', compaction: false })
    expect(await change({ title: 'New' })).to.include({ title: 'New', listing: 'archived', compaction: false, updated_at: 'now' })
    expect(await change({ archived: false })).to.include({ title: 'New', listing: 'current' })
  })

  it('never lists a hidden chat, and refuses chats of others and chats that are being deleted', async () => {
    const hidden = begin({ listing: 'hidden' })
    for (const archived of [true, false]) expect(await hidden.change({ archived })).to.have.property('code', 'chat_hidden')
    expect(hidden.documents(chatCollection).get('chat')?.listing).to.equal('hidden')
    expect(await hidden.change({ title: 'x' })).to.include({ listing: 'hidden' })
    expect(await hidden.change({ title: 'x' }, 'other')).to.have.property('code', 'not_found')
    expect(await begin({ deleting: true }).change({ title: 'x' })).to.have.property('code', 'not_found')
  })

  it('puts a chat only into a space of the same person that is not being deleted', async () => {
    const { change, documents } = begin()
    const space = (id: string, changes: Partial<Space>): void =>
      void documents(spaceCollection).set(id, {
        ...{ id, user_id: 'u', name: 'S', description: '', context: '', summary: null, summary_updated_at: null },
        ...{ created_at: '', updated_at: '', deleting: false, ...changes },
      })
    space('own', {})
    space('foreign', { user_id: 'other' })
    space('going', { deleting: true })
    for (const spaceId of ['foreign', 'going', 'none']) expect(await change({ spaceId })).to.have.property('code', 'not_found')
    expect(await change({ spaceId: 'own' })).to.include({ space_id: 'own' })
    expect(await change({ title: 'x' })).to.include({ space_id: 'own' })
    expect(await change({ spaceId: null })).to.include({ space_id: null })
  })
})

describe('the title of a chat', () => {
  it('is made by no model any more once a person has set it', async () => {
    const { change, documents } = begin({ titling: 'open' })
    const task = { id: 'chat', user_id: 'u', agent_id: 'a', run_id: 'r', due_at: '', attempts: 0, asked_at: null, driver: null }
    documents(titleTaskCollection).set('chat', task)
    expect(await change({ pinned: true })).to.include({ titling: 'open' })
    expect(documents(titleTaskCollection).size).to.equal(1)
    expect(await change({ title: 'Mine' })).to.include({ title: 'Mine', titling: 'closed' })
    expect(documents(titleTaskCollection).size).to.equal(0)
    expect(await change({ title: null })).to.include({ titling: 'closed' })
    const empty = begin({ message_count: 0, titling: 'closed' })
    expect(await empty.change({ title: null })).to.include({ title: null, titling: 'open' })
  })
})

describe('a pin, tags and a model', () => {
  it('stay until they are changed, and no hidden chat has a pin or tags', async () => {
    const { change } = begin()
    expect(await change({ pinned: true, tags: ['a'], model: 'small' })).to.deep.include({ pinned: true, tags: ['a'], model: 'small' })
    expect(await change({ title: 'x' })).to.deep.include({ pinned: true, tags: ['a'], model: 'small' })
    expect(await change({ pinned: false, tags: [], model: null })).to.deep.include({ pinned: false, tags: [], model: null })
    const hidden = begin({ listing: 'hidden' })
    for (const wanted of [{ pinned: true }, { tags: ['a'] }]) expect(await hidden.change(wanted)).to.have.property('code', 'chat_hidden')
    expect(await hidden.change({ model: 'small' })).to.include({ model: 'small' })
  })
})
