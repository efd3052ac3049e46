import type { Database } from '@agent-service/sdk/services/database'
import type { EventInput, Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { spaceCollection } from '../store/chats/space.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { deleteSpace } from './delete-space.js'

const signal = new AbortController().signal

function begin(chats: number) {
  const memory = createMemoryDatabase()
  const { documents } = memory
  documents(spaceCollection).set('space', {
    ...{ id: 'space', user_id: 'u', name: 'S', description: '', context: '', summary: null, summary_updated_at: null },
    ...{ created_at: '', updated_at: '', deleting: false },
  })
  for (let number = 0; number < chats; number += 1) {
    const id = `chat ${number}`
    documents(chatCollection).set(
      id,
      newChat({ id, user_id: 'u', agent_id: 'a', title: null, space_id: number === 0 ? 'other' : 'space' }, 'then'),
    )
  }
  const recorded: EventInput[] = []
  const events: Events = { record: (_, event) => void recorded.push(event), publishDelta: () => 0, position: () => 0 }
  return { ...memory, events, recorded }
}

describe('deleting a space', () => {
  it('marks it, releases its chats and no others, and sends events to every tab', async () => {
    const { database, events, documents, recorded } = begin(121)
    await deleteSpace({ database, events }, { spaceId: 'space', userId: 'u', signal })
    expect(documents(spaceCollection).size).to.equal(0)
    expect([...documents(chatCollection).values()].filter(({ space_id }) => space_id !== null).map(({ id }) => id)).to.deep.equal([
      'chat 0',
    ])
    const changed = recorded.filter(({ name }) => name === 'chat.updated')
    expect(new Set(changed.map(({ data }) => data['chat_id'])).size).to.equal(120)
    expect(recorded.at(-1)).to.deep.include({ name: 'space.deleted', data: { space_id: 'space' } })
    expect([...documents(chatCollection).values()].every(({ updated_at }) => updated_at === 'then')).to.equal(true)
  })

  it('can be repeated after an interruption, and accepts no chat meanwhile', async () => {
    const { database, events, documents } = begin(121)
    const stopped = new Error('stopped')
    let transactions = 0
    const failing: Database = {
      ...database,
      transaction: (work, options) => (++transactions === 3 ? Promise.reject(stopped) : database.transaction(work, options)),
    }
    const place = { spaceId: 'space', userId: 'u', signal }
    expect(await deleteSpace({ database: failing, events }, place).catch((error: unknown) => error)).to.equal(stopped)
    expect(documents(spaceCollection).get('space')?.deleting).to.equal(true)
    expect([...documents(chatCollection).values()].filter(({ space_id }) => space_id === 'space')).to.have.length(70)
    await deleteSpace({ database, events }, place)
    expect(documents(spaceCollection).size).to.equal(0)
    expect([...documents(chatCollection).values()].filter(({ space_id }) => space_id === 'space')).to.have.length(0)
  })

  it("reports another person's space as not found", async () => {
    const { database, events, documents } = begin(2)
    const error = await deleteSpace({ database, events }, { spaceId: 'space', userId: 'other', signal }).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'not_found')
    expect(documents(spaceCollection).get('space')?.deleting).to.equal(false)
  })
})
