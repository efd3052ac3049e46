import { expect } from 'chai'
import { createControlledClock } from '../clock/testing/index.js'
import { createEventStore, type EventStore } from './event-store.js'
import { endTestStores, openTestStore } from './testing/test-store.js'

const userId = 'user-1'
const count = 6

/** Six stored events; `atPause` is called with the number of each step of the store. */
async function storeWithEvents(atPause: (step: number, store: EventStore) => Promise<void>) {
  const clock = createControlledClock()
  const opened = await openTestStore({ cached: false })
  const { database } = opened
  const store = createEventStore({ database, clock, floor: 0 })
  for (let index = 0; index < count; index += 1) {
    await database.transaction(async (transaction) => store.insert(transaction, { userId, name: 'message.created', data: { index } }, 0))
  }
  await clock.advance(100_000)
  let step = 0
  const pause = async (): Promise<void> => {
    // The actions of a test at a step run without further pauses.
    opened.pause = () => Promise.resolve()
    await atPause(step++, store)
    opened.pause = pause
  }
  opened.pause = pause
  return store
}

const read = async (store: EventStore): Promise<readonly unknown[]> => {
  const seen: unknown[] = []
  for await (const event of store.read(userId, { after: 0, until: Number.MAX_SAFE_INTEGER })) {
    seen.push(event === 'reset' ? event : (JSON.parse(event.json()) as { readonly index: number }).index)
  }
  return seen
}

describe('createEventStore', () => {
  afterEach(endTestStores)

  it('reads everything, or reports missing events, whenever pruning happens', async () => {
    const whole = Array.from({ length: count }, (_, index) => index)
    const pruneAll = (store: EventStore): Promise<void> =>
      store.prune({ keptSince: () => Number.MAX_SAFE_INTEGER, signal: new AbortController().signal })
    let steps = 0
    await read(await storeWithEvents(async () => void steps++))
    expect(steps).to.be.greaterThan(count)
    const lengths = new Set<number>()
    for (let at = 0; at < steps; at += 1) {
      const seen = await read(await storeWithEvents(async (step, store) => (step === at ? pruneAll(store) : undefined)))
      expect(seen.at(-1), `pruned at step ${at}`).to.equal('reset')
      expect(seen.slice(0, -1)).to.deep.equal(whole.slice(0, seen.length - 1))
      lengths.add(seen.length)
    }
    expect([...lengths].sort()).to.include.members([1, 2, count])
    expect(await read(await storeWithEvents(async () => undefined))).to.deep.equal(whole)
  })

  it('keeps events within each user’s retention, and stops when aborted', async () => {
    const store = await storeWithEvents(async () => undefined)
    await store.prune({ keptSince: () => 0, signal: new AbortController().signal })
    expect(await read(store)).to.have.length(count)
    const reason = new Error('stopping')
    const failure = await store.prune({ keptSince: () => 0, signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
    expect(failure).to.equal(reason)
  })
})
