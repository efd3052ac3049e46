import { createControlledClock } from '@agent-service/kernel/testing'
import type { Events } from '@agent-service/sdk/services/events'
import { budgetExceededError, type InferenceAttribution, type LostCall } from '@agent-service/sdk/services/inference'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createHeavyWork } from '../common/heavy-work.js'
import { type Chat, chatCollection, newChat } from '../store/chats/chat.js'
import { newTitleTask, type TitleTask, titleTaskCollection } from '../store/chats/title-task.js'
import { createRecordingLogger } from '../test-support/fake-tools.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { createTitles, titleRetryMs } from './create-titles.js'
import { titleFailedError, titleUnusableError } from './errors.js'

interface Order {
  readonly attribution: InferenceAttribution
  readonly lostCalls: readonly LostCall[]
  readonly signal: AbortSignal
}

describe('the titles that a model makes', () => {
  const begin = (
    write: (order: Order) => Promise<string>,
    options: { readonly task?: Partial<TitleTask>; readonly closed?: boolean } = {},
  ) => {
    const { database, documents } = createMemoryDatabase()
    const clock = createControlledClock()
    const now = new Date(clock.now()).toISOString()
    const orders: Order[] = []
    const recorded: string[] = []
    const events: Pick<Events, 'record'> = {
      record: (_, { name, data }) => void recorded.push(`${name} ${String((data['chat'] as Partial<Chat>).title)}`),
    }
    documents(chatCollection).set('c', newChat({ id: 'c', user_id: 'u', agent_id: 'a', title: 'first words', titling: 'closed' }, 'then'))
    const task: TitleTask = { ...newTitleTask({ id: 'r', chat_id: 'c', user_id: 'u', agent_id: 'a' }, now), ...options.task }
    documents(titleTaskCollection).set('c', task)
    const titles = createTitles({
      ...{ database, events, clock, log: createRecordingLogger(), limit: createHeavyWork(createFakeQuotas()).titles },
      accounts: {
        get: async (id) => (options.closed ? undefined : { id, username: 'u', handle: 'u', role: 'user' as const, timezone: 'UTC' }),
      },
      leases: { driverId: 'me', heldMs: async (_, { driver }) => (driver === 'other' ? 1_000 : 0) },
      writer: {
        async write(_, order) {
          orders.push(order)
          return write(order)
        },
      },
    })
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await clock.advance(0)
    }
    const wake = async (): Promise<void> => {
      titles.wake('c')
      await settle()
    }
    return {
      ...{ titles, clock, orders, recorded, settle, wake, documents },
      chat: () => documents(chatCollection).get('c'),
      task: () => documents(titleTaskCollection).get('c'),
    }
  }

  it('replace the first words, once, and leave the chat in its place', async () => {
    const { wake, chat, task, orders, recorded } = begin(async () => 'A title')
    await wake()
    await wake()
    expect(chat()).to.include({ title: 'A title', updated_at: 'then' })
    expect([task(), orders.length, recorded]).to.deep.equal([undefined, 1, ['chat.updated A title']])
    expect(orders[0]?.attribution).to.deep.equal({ userId: 'u', agentId: 'a', chatId: 'c', runId: 'r', purpose: 'title' })
  })

  it('are asked for once more after a failure, and then no more', async () => {
    const { wake, chat, task, clock, settle, orders } = begin(async () => {
      throw titleFailedError.create({ reason: 'down.' })
    })
    await wake()
    expect([orders.length, task()?.attempts, task()?.driver, task()?.asked_at]).to.deep.equal([1, 1, null, null])
    await wake()
    expect(orders, 'before it is due').to.have.length(1)
    await clock.advance(titleRetryMs)
    await settle()
    expect([orders.length, task(), chat()?.title]).to.deep.equal([2, undefined, 'first words'])
    expect(orders[1]?.lostCalls).to.deep.equal([])
  })

  it('are given up at once if asking again is of no use', async () => {
    const errors = [
      titleUnusableError.create({ reason: 'it is empty.' }),
      budgetExceededError.create({ period: 'day', limit: '1', used: '1', ends_at: '' }),
    ]
    for (const error of errors) {
      const { wake, task, orders } = begin(() => Promise.reject(error))
      await wake()
      expect([orders.length, task()], error.code).to.deep.equal([1, undefined])
    }
  })

  it('never replace one that a person has set, and never belong to a chat that was deleted meanwhile', async () => {
    const set = begin(async () => {
      set.documents(titleTaskCollection).delete('c')
      set.documents(chatCollection).set('c', { ...(set.chat() ?? expect.fail('no chat')), title: 'Mine' })
      return 'A title'
    })
    await set.wake()
    expect([set.chat()?.title, set.recorded]).to.deep.equal(['Mine', []])
    const gone = begin(async () => {
      gone.documents(chatCollection).delete('c')
      return 'A title'
    })
    await gone.wake()
    expect([gone.chat(), gone.task(), gone.recorded]).to.deep.equal([undefined, undefined, []])
  })

  it('are made after a crash, with the lost call, at most twice altogether', async () => {
    const asked_at = '2025-12-31T23:59:00.000Z'
    const again = begin(async () => 'A title', { task: { attempts: 1, asked_at, driver: 'crashed' } })
    await again.titles.resume()
    await again.clock.advance(1)
    await again.settle()
    expect(again.chat()?.title).to.equal('A title')
    expect(again.orders[0]?.lostCalls).to.deep.equal([{ id: 'c/title/1', requestedAt: Date.parse(asked_at) }])
    const last = begin(async () => 'A title', { task: { attempts: 2, asked_at, driver: 'crashed' } })
    await last.wake()
    expect([last.orders.length, last.task(), last.chat()?.title]).to.deep.equal([0, undefined, 'first words'])
  })

  it('are left to another process that lives, and not made for a closed account', async () => {
    const held = begin(async () => 'A title', { task: { attempts: 1, driver: 'other' } })
    await held.wake()
    expect([held.orders.length, held.task()?.driver]).to.deep.equal([0, 'other'])
    const closed = begin(async () => 'A title', { closed: true })
    await closed.wake()
    expect([closed.orders.length, closed.task()]).to.deep.equal([0, undefined])
  })

  it('do not count an attempt that the stop of the service breaks off', async () => {
    const { titles, settle, task, orders } = begin(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    titles.wake('c')
    await settle()
    expect(task()).to.include({ attempts: 1, driver: 'me' })
    await titles.stop()
    expect(task()).to.include({ attempts: 0, driver: null, asked_at: null })
    titles.wake('c')
    await settle()
    expect(orders).to.have.length(1)
  })
})
