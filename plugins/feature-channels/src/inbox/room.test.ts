import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabase, createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { maxOpenMessages } from '../common/limits.js'
import { collections } from '../store/collections.js'
import { inboxCollection } from '../store/inbox.js'
import { createRoom } from './room.js'

describe('the room for messages of channels', () => {
  const open = async (waiting: number) => {
    const database = createMemoryDatabase(collections)
    const clock = createTestClock()
    let counted = 0
    const collection: Database['collection'] = (definition) => {
      counted += 1
      return database.collection(definition)
    }
    const inbox = database.collection(inboxCollection)
    for (let number = 0; number < waiting; number += 1)
      await inbox.insert({ id: `m${number}`, line: 'c/1', order: `${number}`, connection_id: 'c', user_id: null } as never)
    const room = createRoom({ database: { ...database, collection }, clock }, 'c')
    return { room, clock, inbox, counted: () => counted }
  }

  it('is counted once for as many messages as it has', async () => {
    const { room, counted } = await open(maxOpenMessages - 3)
    for (let number = 0; number < 3; number += 1) expect(await room.take(1)).to.equal(true)
    const once = counted()
    expect(once).to.equal(maxOpenMessages / 200)
    await room.take(1)
    expect(counted()).to.equal(2 * once)
  })

  it('is gone while too many wait, and is there again once they were settled', async () => {
    const { room, clock, inbox, counted } = await open(maxOpenMessages)
    expect(await room.take(1)).to.equal(false)
    const once = counted()
    expect(await room.take(1)).to.equal(false)
    expect(counted()).to.equal(once)
    await inbox.delete('m0')
    await clock.advance(500)
    expect([await room.take(1), await room.take(1)]).to.deep.equal([true, true])
  })
})
