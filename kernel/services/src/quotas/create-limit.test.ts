import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createRecordingLog, type RecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { Hold, LimitDefinition } from '@agent-service/sdk/services/quotas'
import { expect } from 'chai'
import { createLimit } from './create-limit.js'
import type { MeasuredLimit } from './measured-limit.js'

interface LimitUnderTest {
  readonly limit: MeasuredLimit
  readonly clock: ControlledClock
  readonly log: RecordingLog
}

function limitOf(definition: Partial<LimitDefinition>): LimitUnderTest {
  const clock = createControlledClock()
  const log = createRecordingLog()
  return { limit: createLimit({ name: 'things', counts: 'things', maxPerHolder: 2, ...definition }, { clock, log }), clock, log }
}

const never = new AbortController().signal

/** The current outcome of a wait. */
function watch(promise: Promise<Hold>): { readonly hold: Hold | undefined; readonly code: string | undefined } {
  const seen: { hold: Hold | undefined; code: string | undefined } = { hold: undefined, code: undefined }
  promise.then(
    (hold) => {
      seen.hold = hold
    },
    (error: { readonly code?: unknown; readonly name: string }) => {
      seen.code = typeof error.code === 'string' ? error.code : error.name
    },
  )
  return seen
}

describe('a limit', () => {
  it('grants each holder its share, and released amounts again', () => {
    const { limit } = limitOf({})
    const [first] = [limit.take('a'), limit.take('a'), limit.take('b')]
    expect(() => limit.take('a'))
      .to.throw('At most 2 things')
      .with.property('code', 'limit_reached')
    first?.release()
    first?.release()
    expect(limit.used('a')).to.equal(1)
    limit.take('a')
    expect([limit.used('a'), limit.total(), limit.holders(), limit.refused()]).to.deep.equal([2, 3, 2, 1])
  })

  it('refuses amounts that would corrupt its sums', async () => {
    const { limit } = limitOf({ maxPerHolder: Number.POSITIVE_INFINITY, maxTotal: 10 })
    const hold = limit.take('a', 1)
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, -1, Number.NEGATIVE_INFINITY, '1' as unknown as number]) {
      expect(() => limit.take('a', amount)).to.throw(RangeError)
      expect(() => hold.resize(amount)).to.throw(RangeError)
      expect(await limit.acquire('a', amount, { signal: never }).catch((error: Error) => error.name)).to.equal('RangeError')
    }
    expect([limit.used('a'), limit.total()]).to.deep.equal([1, 1])
  })

  it('removes every holder without holds, whatever fractions it took', () => {
    const { limit } = limitOf({ maxPerHolder: 10 })
    for (const hold of [0.1, 0.2, 0.3, 0.7].map((amount) => limit.take('a', amount))) hold.release()
    expect([limit.used('a'), limit.total(), limit.holders()]).to.deep.equal([0, 0, 0])
  })

  it('lets a hold grow as far as there is room, and leaves it unchanged otherwise', () => {
    const { limit } = limitOf({ maxPerHolder: 10, maxTotal: 12 })
    const hold = limit.take('a', 0)
    hold.resize(10)
    expect(() => hold.resize(11))
      .to.throw()
      .with.property('code', 'limit_reached')
    expect(() => limit.take('b', 3))
      .to.throw()
      .with.property('code', 'overloaded')
    expect(hold.amount).to.equal(10)
    hold.resize(4)
    limit.take('b', 8)
    hold.release()
    hold.resize(9)
    expect([hold.amount, limit.used('a'), limit.total()]).to.deep.equal([0, 0, 8])
  })

  it('keeps its reserve for small holds, also while others hold nothing else', () => {
    const { limit } = limitOf({ maxPerHolder: 100, maxTotal: 100, reserve: { amount: 40, upTo: 10 } })
    limit.take('greedy', 60)
    expect(() => limit.take('b', 11))
      .to.throw()
      .with.property('code', 'overloaded')
    const small = limit.take('b', 10)
    expect(() => small.resize(11))
      .to.throw()
      .with.property('code', 'overloaded')
    for (const holder of ['c', 'd', 'e']) limit.take(holder, 10)
    expect(() => limit.take('f', 1))
      .to.throw()
      .with.property('code', 'overloaded')
  })

  it('does not count small holds against the part of the large ones while the reserve has room for them', () => {
    const { limit } = limitOf({ maxPerHolder: 100, maxTotal: 100, reserve: { amount: 40, upTo: 10 } })
    for (const holder of ['a', 'b', 'c', 'd']) limit.take(holder, 10)
    expect(limit.take('e', 60).amount).to.equal(60)
  })

  it('calls the function of the maximum at each take, and refuses one that is not a number', () => {
    let max = 1
    const { limit } = limitOf({ maxPerHolder: (holder) => (holder === 'broken' ? Number.NaN : max) })
    limit.take('a')
    expect(() => limit.take('a'))
      .to.throw()
      .with.property('code', 'limit_reached')
    max = 2
    limit.take('a')
    expect(() => limit.take('broken'))
      .to.throw()
      .with.property('code', 'limit_invalid')
    expect(limit.total()).to.equal(2)
  })
})

describe('an idle hold', () => {
  const idle = (since: number, displaced: string[], name: string) => ({
    lastUsed: () => since,
    onDisplaced: () => void displaced.push(name),
  })

  it('is displaced by a newer one of the same holder, the longest idle first', async () => {
    const displaced: string[] = []
    const { limit, clock } = limitOf({ displaceIdleMs: 60_000 })
    limit.take('a', 1, idle(10, displaced, 'later'))
    limit.take('a', 1, idle(0, displaced, 'first'))
    await clock.advance(59_000)
    expect(() => limit.take('a'))
      .to.throw()
      .with.property('code', 'limit_reached')
    await clock.advance(1_000)
    expect(() => limit.take('b', 3))
      .to.throw()
      .with.property('code', 'limit_reached')
    limit.take('a')
    expect(displaced).to.deep.equal(['first'])
    expect([limit.used('a'), limit.displaced()]).to.deep.equal([2, 1])
  })

  it('is displaced with as many others as needed, or not at all if they do not make enough room', async () => {
    const displaced: string[] = []
    const { limit, clock } = limitOf({ maxPerHolder: 3, displaceIdleMs: 0 })
    limit.take('a', 1, idle(0, displaced, 'one'))
    limit.take('a', 1, idle(1, displaced, 'two'))
    limit.take('a', 1)
    await clock.advance(10)
    expect(() => limit.take('a', 3))
      .to.throw()
      .with.property('code', 'limit_reached')
    expect(displaced).to.deep.equal([])
    expect(limit.take('a', 2).amount).to.equal(2)
    expect(displaced).to.deep.equal(['one', 'two'])
  })

  it('does not admit a waiting request twice if its holder makes room during the admission', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 2, displaceIdleMs: 100, waiting: { maxPerHolder: 5, maxTotal: 5, maxMs: 1_000 } })
    limit.take('a', 1, { lastUsed: () => 0 })
    const other = limit.take('a', 1, { lastUsed: () => 0 })
    const waiting = watch(limit.acquire('a', 1, { signal: never }))
    await clock.advance(100)
    other.release()
    await clock.advance(0)
    expect(waiting.hold?.amount).to.equal(1)
    waiting.hold?.release()
    expect(limit.used('a')).to.equal(1)
  })

  it('stays if its last use cannot be determined, and does not fail the taker', async () => {
    const { limit, log, clock } = limitOf({ maxPerHolder: 2, displaceIdleMs: 0 })
    const broken = limit.take('a', 1, {
      lastUsed() {
        throw new Error('No time.')
      },
    })
    limit.take('a', 1, { lastUsed: () => 0 })
    await clock.advance(1)
    limit.take('a')
    expect([broken.amount, limit.displaced()]).to.deep.equal([1, 1])
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['error'])
  })

  it('affects neither the taker nor the sums if its callback fails', async () => {
    const { limit, log, clock } = limitOf({ maxPerHolder: 1, displaceIdleMs: 0 })
    limit.take('a', 1, {
      lastUsed: () => 0,
      onDisplaced() {
        throw new Error('No end.')
      },
    })
    await clock.advance(1)
    expect(limit.take('a').amount).to.equal(1)
    expect(limit.used('a')).to.equal(1)
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['error'])
  })
})

describe('requests that wait for room', () => {
  const waiting = { maxPerHolder: 10, maxTotal: 20, maxMs: 1_000 }

  it('are admitted by turns of their holders', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 10, maxTotal: 1, waiting })
    const order: string[] = []
    const first = limit.take('z')
    for (const holder of ['a', 'a', 'a', 'b', 'c'])
      void limit.acquire(holder, 1, { signal: never }).then((hold) => {
        order.push(holder)
        hold.release()
      })
    first.release()
    await clock.advance(0)
    expect(order).to.deep.equal(['a', 'b', 'c', 'a', 'a'])
    expect([limit.total(), limit.waiting(), clock.pending()]).to.deep.equal([0, 0, 0])
  })

  it('are all admitted if there is room', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 10, maxTotal: 10, waiting })
    const large = limit.take('z', 10)
    const held = Array.from({ length: 5 }, () => watch(limit.acquire('a', 2, { signal: never })))
    large.release()
    await clock.advance(0)
    expect(held.map(({ hold }) => hold?.amount)).to.deep.equal([2, 2, 2, 2, 2])
  })

  it('queue after earlier ones of their own holder', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 4, waiting })
    limit.take('a', 2)
    const large = watch(limit.acquire('a', 3, { signal: never }))
    const small = watch(limit.acquire('a', 1, { signal: never }))
    await clock.advance(0)
    expect([large.hold, small.hold]).to.deep.equal([undefined, undefined])
    await clock.advance(1_000)
    expect([large.code, small.code]).to.deep.equal(['limit_reached', 'limit_reached'])
    expect(limit.refused()).to.equal(2)
  })

  it('are limited for each holder and in total', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 1, maxTotal: 1, waiting: { maxPerHolder: 2, maxTotal: 3, maxMs: 1_000 } })
    limit.take('z')
    const seen = ['a', 'a', 'a', 'b', 'c'].map((holder) => watch(limit.acquire(holder, 1, { signal: never })))
    await clock.advance(0)
    expect(seen.map(({ code }) => code)).to.deep.equal([undefined, undefined, 'overloaded', undefined, 'overloaded'])
  })

  it('leave no trace and take nothing when they are cancelled', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 1, waiting })
    const hold = limit.take('a')
    const controller = new AbortController()
    const given = watch(limit.acquire('a', 1, { signal: controller.signal }))
    controller.abort()
    await clock.advance(0)
    hold.release()
    expect(given.code).to.equal('AbortError')
    expect([limit.used('a'), limit.waiting(), clock.pending()]).to.deep.equal([0, 0, 0])
    expect(await limit.acquire('a', 1, { signal: controller.signal }).catch((error: Error) => error.name)).to.equal('AbortError')
  })

  it('do not fail a release if their maximum cannot be determined', async () => {
    let broken = false
    const { limit, clock } = limitOf({
      maxTotal: 1,
      waiting,
      maxPerHolder(holder) {
        if (broken && holder === 'a') throw new Error('No maximum.')
        return 1
      },
    })
    const hold = limit.take('z')
    const [first, second] = [watch(limit.acquire('a', 1, { signal: never })), watch(limit.acquire('b', 1, { signal: never }))]
    broken = true
    hold.release()
    await clock.advance(0)
    expect(first.code).to.equal('Error')
    expect(second.hold?.amount).to.equal(1)
  })

  it('are refused when the limit ends', async () => {
    const { limit, clock } = limitOf({ maxPerHolder: 1, waiting })
    limit.take('a')
    const given = watch(limit.acquire('a', 1, { signal: never }))
    limit.close()
    await clock.advance(0)
    expect(given.code).to.equal('limit_reached')
    expect(clock.pending()).to.equal(0)
  })
})
