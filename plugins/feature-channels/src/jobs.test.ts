import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabase, createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { historyMs } from './common/limits.js'
import { textOf } from './common/time.js'
import { createPruneJob } from './jobs.js'
import type { ChannelParts } from './parts/channel-parts.js'
import { collections } from './store/collections.js'
import { deliveryCollection } from './store/delivery.js'
import { inboxCollection } from './store/inbox.js'
import { senderCollection } from './store/sender.js'

describe('the clean-up of channels', () => {
  const clock = createTestClock()
  const longAgo = textOf(clock.now() - historyMs - 1)

  /** Runs the job; `meanwhile` happens once, after it has found something and before it changes it. */
  const run = async (database: Database, meanwhile: () => Promise<unknown>): Promise<void> => {
    let waiting: (() => Promise<unknown>) | undefined = meanwhile
    const raced: Database = {
      ...database,
      async transaction(work) {
        const now = waiting
        waiting = undefined
        await now?.()
        return database.transaction(work)
      },
    }
    await createPruneJob({ database: raced, clock } as unknown as ChannelParts).run({ signal: new AbortController().signal } as never)
    expect(waiting, 'it changed something').to.equal(undefined)
  }

  it('deletes what was sent long ago, but not what is sent again at that moment', async () => {
    const database = createMemoryDatabase(collections)
    const deliveries = database.collection(deliveryCollection)
    const failed = {
      id: 'again',
      connection_id: 'c',
      user_id: null,
      line: null,
      order: '1',
      state: 'failed',
      keeps: null,
      settled_at: longAgo,
    }
    await deliveries.insert(failed as never)
    await deliveries.insert({ ...failed, id: 'old', order: '2' } as never)
    await run(database, () => deliveries.put({ ...failed, state: 'queued', line: 'c/1', settled_at: null } as never))
    expect(await deliveries.get('again')).to.include({ state: 'queued', line: 'c/1' })
    expect(await deliveries.get('old')).to.equal(undefined)
  })

  it('forgets who asked in vain, but not who is let in at that moment, nor what they wrote', async () => {
    const database = createMemoryDatabase(collections)
    const senders = database.collection(senderCollection)
    const inbox = database.collection(inboxCollection)
    // The one who is let in comes first, so that what is held for them was found before.
    const expiries: Readonly<Record<string, string>> = { grace: longAgo, eve: textOf(clock.now() - historyMs) }
    const pending = (id: string) => ({
      id,
      connection_id: 'c',
      user_id: null,
      state: 'pending',
      code: id,
      code_expires_at: expiries[id],
    })
    const held = (id: string) => ({
      id: `of-${id}`,
      connection_id: 'c',
      user_id: null,
      line: null,
      held_for: id,
      order: id,
      settled_at: null,
    })
    for (const id of ['grace', 'eve']) {
      await senders.insert(pending(id) as never)
      await inbox.insert(held(id) as never)
    }
    await run(database, async () => {
      await senders.put({ ...pending('grace'), state: 'approved', code: null, code_expires_at: null } as never)
      await inbox.put({ ...held('grace'), held_for: null, line: 'c/1' } as never)
    })
    expect(await senders.get('grace')).to.include({ state: 'approved' })
    expect(await inbox.get('of-grace')).to.include({ line: 'c/1' })
    expect(await senders.get('eve')).to.equal(undefined)
    expect(await inbox.get('of-eve')).to.equal(undefined)
  })
})
