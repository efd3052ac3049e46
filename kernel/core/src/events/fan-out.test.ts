import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { frameOf } from '../http/answer/send-events.js'
import type { EventConnection } from './event-connection.js'
import { createFanOut } from './fan-out.js'
import { type PublishedEvent, publishedEvent } from './published-event.js'
import { openEventsUnderTest } from './testing/events-under-test.js'
import { endTestStores } from './testing/test-store.js'

interface Listener extends EventConnection {
  readonly got: number[]
}

const listeners = (many: number): readonly Listener[] =>
  Array.from({ length: many }, () => {
    const got: number[] = []
    return { got, push: (event: PublishedEvent) => void got.push(event.number), reset: () => undefined, events: never }
  })

const never: AsyncIterable<ServerSentEvent> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
const event = (number: number): PublishedEvent => publishedEvent(number, 'chat.updated', { number })
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('an event for many streams', () => {
  after(endTestStores)

  it('is one object and one buffer for all streams of a user', async () => {
    const { streams, commit, close } = await openEventsUnderTest()
    const { signal } = new AbortController()
    const open = Array.from({ length: 20 }, () => streams.open('user', { signal })[Symbol.asyncIterator]())
    await commit('user', ['chat.updated', { chat_id: 'c', text: 'x'.repeat(100_000) }])
    const seen = await Promise.all(open.map(async (stream) => (await stream.next()).value as ServerSentEvent))
    expect(new Set(seen).size).to.equal(1)
    expect(new Set(seen.map(frameOf)).size).to.equal(1)
    await Promise.all(open.map((stream) => stream.return?.()))
    close()
  })

  it('is serialized again if its object could have changed meanwhile', () => {
    const changing = { data: 'one' }
    expect(frameOf(changing).toString()).to.equal('data: one\n\n')
    changing.data = 'two'
    expect(frameOf(changing).toString()).to.equal('data: two\n\n')
  })

  it('reaches a bounded number of them in one turn of the event loop, and all of them in order', async () => {
    const fanOut = createFanOut(10)
    const all = listeners(35)
    for (const number of [1, 2, 3]) fanOut.send(all, event(number))
    let before = 0
    const reached = (): number => all.reduce((sum, { got }) => sum + got.length, 0)
    expect(reached()).to.equal(10)
    for (before = reached(); before < 105; before = reached()) {
      await nextTurn()
      expect(reached() - before).to.be.within(1, 10)
    }
    for (const { got } of all) expect(got).to.deep.equal([1, 2, 3])
  })

  it('is not overtaken by one for fewer streams', async () => {
    const fanOut = createFanOut(2)
    const [first, ...others] = listeners(5)
    if (!first) throw new Error('There is no listener.')
    fanOut.send([...others, first], event(1))
    fanOut.send([first], event(2))
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(first.got).to.deep.equal([1, 2])
  })

  it('does not wait for thousands of others: the queue is limited', () => {
    const fanOut = createFanOut(1)
    const all = listeners(2)
    for (let number = 1; number <= 10_000; number += 1) fanOut.send(all, event(number))
    expect(all[1]?.got.length).to.be.at.least(10_000 - 4_097)
    fanOut.close()
  })
})
