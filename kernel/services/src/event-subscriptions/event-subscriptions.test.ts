import type { EventGap } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { keptCollection, setAsideCollection, subscriptionCollection } from './subscription-records.js'
import {
  createRecordingHandler,
  openStoreUnderTest,
  type ProcessUnderTest,
  type StoreUnderTest,
  settle,
  startProcessUnderTest,
} from './testing/subscriptions-under-test.js'

const day = 24 * 3_600_000

describe('durable event subscriptions', () => {
  let store: StoreUnderTest
  let process: ProcessUnderTest

  beforeEach(async () => {
    store = await openStoreUnderTest()
    process = await startProcessUnderTest(store)
  })
  afterEach(async () => {
    await process.end()
    await store.test.end()
  })

  const keptOf = async (userId: string) =>
    (await store.database.collection(keptCollection).query({ index: 'by_user', equals: [userId] })).items
  const restart = async (options: Parameters<typeof startProcessUnderTest>[1] = {}): Promise<void> => {
    const { clock } = process
    await process.end()
    process = await startProcessUnderTest(store, { clock, ...options })
  }

  it('get every event of every user, in order for each, and keep no acknowledged event', async () => {
    const handler = createRecordingHandler()
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await Promise.all([process.record('ada', 'a1', 'a2', 'a3'), process.record('bob', 'b1', 'b2')])
    await handler.got(5)
    await settle()
    expect(handler.texts('ada')).to.deep.equal(['a1', 'a2', 'a3'])
    expect(handler.texts('bob')).to.deep.equal(['b1', 'b2'])
    expect(new Set(handler.seen.map(({ id }) => id)).size).to.equal(5)
    expect([...(await keptOf('ada')), ...(await keptOf('bob'))]).to.deep.equal([])
  })

  it('write nothing for events that none of them wants', async () => {
    await process.subscribe({ id: 'copy', names: ['other.thing'], handle: createRecordingHandler().handle })
    await process.record('ada', 'a1')
    expect(await keptOf('ada')).to.deep.equal([])
  })

  it('store an event once for all subscriptions, and keep it until each has acknowledged it', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const quick = createRecordingHandler()
    const slow = createRecordingHandler(() => gate)
    await process.subscribe({ id: 'quick', handle: quick.handle })
    await process.subscribe({ id: 'slow', handle: slow.handle }, 'other')
    await process.record('ada', 'a1', 'a2')
    await Promise.all([quick.got(2), slow.got(1)])
    await settle()
    expect((await keptOf('ada')).map(({ pending }) => pending)).to.deep.equal([['other/slow'], ['other/slow']])
    open()
    await slow.got(2)
    await settle()
    expect([quick.texts(), slow.texts()]).to.deep.equal([
      ['a1', 'a2'],
      ['a1', 'a2'],
    ])
    expect(await keptOf('ada')).to.deep.equal([])
  })

  it('begin at their first start: earlier events are not delivered', async () => {
    await process.record('ada', 'before')
    const handler = createRecordingHandler()
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await process.record('ada', 'after')
    await handler.got(1)
    expect(handler.texts()).to.deep.equal(['after'])
  })

  it('catch up, in order, on events while the plugin did not run, over restarts and independent of the streams’ retention', async () => {
    const scope = await process.subscribe({ id: 'copy', handle: createRecordingHandler().handle })
    await scope.dispose()
    await process.record('ada', ...Array.from({ length: 250 }, (_, index) => `a${index}`))
    await restart({ retentionSeconds: 0 })
    await process.record('ada', 'last')
    const handler = createRecordingHandler()
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await handler.got(251)
    expect(handler.texts()).to.deep.equal([...Array.from({ length: 250 }, (_, index) => `a${index}`), 'last'])
  })

  it('get an event again that was handled but not acknowledged, with the same id', async () => {
    const first = createRecordingHandler(
      (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const scope = await process.subscribe({ id: 'copy', handle: first.handle })
    await process.record('ada', 'a1')
    await first.got(1)
    const ending = scope.dispose()
    await settle()
    await process.clock.advance(5_000)
    await ending
    const second = createRecordingHandler()
    await process.subscribe({ id: 'copy', handle: second.handle })
    await second.got(1)
    expect(second.seen[0]).to.include({ id: first.seen[0]?.id, attempt: 1 })
  })

  it('retry a failed event with growing delays, before the user’s later ones, while other users go on', async () => {
    let failures = 3
    const handler = createRecordingHandler((event) => {
      if (event.kind === 'event' && event.data['text'] === 'bad' && failures-- > 0) throw new Error('not today')
    })
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await process.record('ada', 'bad', 'good')
    await process.record('bob', 'b1')
    await handler.got(2)
    await settle()
    expect(handler.texts()).to.have.members(['bad', 'b1'])
    await process.clock.advance(999)
    await settle()
    expect(handler.texts('ada')).to.deep.equal(['bad'])
    for (const pause of [1, 2_000, 4_000]) {
      await process.clock.advance(pause)
      await settle()
    }
    expect(handler.texts('ada')).to.deep.equal(['bad', 'bad', 'bad', 'bad', 'good'])
    expect(handler.seen.filter(({ userId }) => userId === 'ada').map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3, 4, 1])
  })

  it('set an event aside after its last attempt, counted over restarts, with a log line and a metric', async () => {
    const poisoned = () =>
      createRecordingHandler((event) => {
        if (event.kind === 'event' && event.data['text'] === 'poison') throw new Error('cannot be read')
      })
    const first = poisoned()
    await process.subscribe({ id: 'copy', maxAttempts: 2, handle: first.handle })
    await process.record('ada', 'poison', 'after')
    await first.got(1)
    await settle()
    await restart()
    const second = poisoned()
    await process.subscribe({ id: 'copy', maxAttempts: 2, handle: second.handle })
    await second.got(2)
    await settle()
    expect(second.texts()).to.deep.equal(['poison', 'after'])
    const { items } = await store.database.collection(setAsideCollection).query({ index: 'by_user', equals: ['ada'] })
    expect(items).to.have.length(1)
    expect(items[0]).to.include({ subscription: 'notes/copy', name: 'note.written', attempts: 2, error: 'cannot be read' })
    expect(process.log.lines.some(({ level, message }) => level === 'error' && message.includes('set aside'))).to.equal(true)
    const aside = process.subscriptions.metrics.find(({ name }) => name.includes('set_aside'))
    expect(aside?.samples()).to.deep.equal([{ labels: { subscription: 'notes/copy' }, value: 1 }])
  })

  it('set an event aside that crashes the process each time, and do not count a regular stop as an attempt', async () => {
    const hanging = () => createRecordingHandler(() => new Promise(() => undefined))
    const first = hanging()
    await process.subscribe({ id: 'copy', maxAttempts: 2, handle: first.handle })
    await process.record('ada', 'fatal', 'after')
    await first.got(1)
    // Each of these ends without cleanup, as after SIGKILL; the next one finds only the store.
    const gone = [process]
    for (const attempt of [1, 2]) {
      process = await startProcessUnderTest(store)
      const handler = hanging()
      const scope = await process.subscribe({ id: 'copy', maxAttempts: 2, handle: handler.handle })
      await handler.got(1)
      expect(handler.seen[0]).to.include({ attempt })
      if (attempt === 1) {
        const ending = scope.dispose()
        await settle()
        await process.clock.advance(5_000)
        await ending
        const again = hanging()
        await process.subscribe({ id: 'copy', maxAttempts: 2, handle: again.handle })
        await again.got(1)
        expect(again.seen[0], 'a stop in order does not count').to.include({ attempt: 1 })
      }
      gone.push(process)
    }
    process = await startProcessUnderTest(store)
    const last = createRecordingHandler()
    await process.subscribe({ id: 'copy', maxAttempts: 2, handle: last.handle })
    await last.got(1)
    await settle()
    expect(last.texts()).to.deep.equal(['after'])
    const { items } = await store.database.collection(setAsideCollection).query({ index: 'by_user', equals: ['ada'] })
    expect(items.map(({ attempts, error }) => [attempts, error])).to.deep.equal([[2, 'The process crashed each time that it was handled.']])
    for (const one of gone) {
      const ending = one.end()
      await settle()
      await one.clock.advance(5_000)
      await ending
    }
  })

  it('count a handler that takes too long as failed, and abort its signal', async () => {
    const reasons: unknown[] = []
    const handler = createRecordingHandler((event, signal) => {
      if (event.attempt > 1) return undefined
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      return new Promise(() => undefined)
    })
    await process.subscribe({ id: 'copy', timeoutSeconds: 5, handle: handler.handle })
    await process.record('ada', 'a1')
    await handler.got(1)
    await process.clock.advance(5_000)
    await settle()
    expect(reasons[0]).to.have.property('code', 'event_handler_timeout')
    await process.clock.advance(1_000)
    await handler.got(2)
    expect(handler.seen[1]).to.include({ attempt: 2 })
  })

  it('handle several users at a time, up to their limit', async () => {
    let running = 0
    let most = 0
    const waiting: (() => void)[] = []
    const handler = createRecordingHandler(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => waiting.push(resolve))
      running -= 1
    })
    await process.subscribe({ id: 'copy', maxConcurrentUsers: 2, handle: handler.handle })
    for (const user of ['u1', 'u2', 'u3', 'u4']) await process.record(user, 'x')
    for (let round = 0; round < 6; round += 1) {
      await settle()
      for (const resolve of waiting.splice(0)) resolve()
    }
    expect(handler.seen).to.have.length(4)
    expect(most).to.equal(2)
  })

  describe('that fall behind', () => {
    it('get a gap instead of events beyond the maximum number, and then the rest', async () => {
      const scope = await process.subscribe({ id: 'copy', maxEvents: 3, handle: createRecordingHandler().handle })
      await scope.dispose()
      await process.record('ada', 'a1', 'a2', 'a3', 'a4', 'a5')
      await process.prune()
      await process.prune()
      await process.record('ada', 'a6')
      await process.prune()
      const handler = createRecordingHandler()
      await process.subscribe({ id: 'copy', maxEvents: 3, handle: handler.handle })
      await handler.got(4)
      await settle()
      expect(handler.texts()).to.deep.equal(['gap 3', 'a4', 'a5', 'a6'])
      expect(await keptOf('ada')).to.deep.equal([])
      const dropped = process.subscriptions.metrics.find(({ name }) => name.includes('dropped'))
      expect(dropped?.samples()).to.deep.equal([{ labels: { subscription: 'notes/copy' }, value: 3 }])
    })

    it('get a gap instead of events beyond the maximum age, each subscription its own', async () => {
      const scope = await process.subscribe({ id: 'short', maxAgeSeconds: 3_600, handle: createRecordingHandler().handle })
      const other = await process.subscribe({ id: 'long', handle: createRecordingHandler().handle })
      await scope.dispose()
      await other.dispose()
      await process.record('ada', 'old')
      await process.clock.advance(3_601_000)
      await process.record('ada', 'young')
      await process.prune()
      const [short, long] = [createRecordingHandler(), createRecordingHandler()]
      await process.subscribe({ id: 'short', maxAgeSeconds: 3_600, handle: short.handle })
      await process.subscribe({ id: 'long', handle: long.handle })
      await Promise.all([short.got(2), long.got(2)])
      expect([short.texts(), long.texts()]).to.deep.equal([
        ['gap 1', 'young'],
        ['old', 'young'],
      ])
    })

    it('cost nothing when they were inactive for too long, and then get a gap for every user', async () => {
      const scope = await process.subscribe({ id: 'copy', maxAgeSeconds: 3_600, handle: createRecordingHandler().handle })
      await scope.dispose()
      await process.clock.advance(day)
      await process.prune()
      await process.record('ada', 'unseen')
      expect(await keptOf('ada')).to.deep.equal([])
      let failures = 1
      const handler = createRecordingHandler((event) => {
        if (event.kind === 'gap' && failures-- > 0) throw new Error('not now')
      })
      await process.subscribe({ id: 'copy', maxAgeSeconds: 3_600, handle: handler.handle })
      await handler.got(1)
      await process.clock.advance(1_000)
      await process.record('ada', 'seen')
      await handler.got(3)
      await settle()
      const gaps = handler.seen.filter((event): event is EventGap => event.kind === 'gap')
      expect(gaps.map(({ userId, lost, attempt }) => ({ userId, lost, attempt }))).to.deep.equal([
        { userId: null, lost: null, attempt: 1 },
        { userId: null, lost: null, attempt: 2 },
      ])
      expect(handler.texts('ada')).to.deep.equal(['seen'])
      expect(await store.database.collection(subscriptionCollection).get('notes/copy')).to.include({ missed_since: null, expired_at: null })
    })
  })

  it('deliver nothing of an erased user, and leave no data of theirs', async () => {
    const scope = await process.subscribe({ id: 'copy', maxEvents: 2, handle: createRecordingHandler().handle })
    await scope.dispose()
    await process.record('ada', 'a1', 'a2', 'a3')
    await process.record('bob', 'b1')
    await process.prune()
    const [userData] = process.subscriptions.userData
    const { signal } = new AbortController()
    expect(await userData?.size('ada', { signal }))
      .to.have.property('records')
      .that.is.greaterThan(0)
    await userData?.erase('ada', { signal })
    expect(await userData?.size('ada', { signal })).to.deep.equal({ records: 0, bytes: 0 })
    const handler = createRecordingHandler()
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await handler.got(1)
    await settle()
    expect(handler.seen.map(({ userId }) => userId)).to.deep.equal(['bob'])
  })

  it('are removed with all waiting events when their plugin unsubscribes', async () => {
    const handler = createRecordingHandler(() => {
      throw new Error('never')
    })
    await process.subscribe({ id: 'copy', handle: handler.handle })
    await process.record('ada', 'a1')
    await handler.got(1)
    await process.subscriptions.unsubscribe('notes', 'copy')
    await process.record('ada', 'a2')
    await process.prune()
    expect(await keptOf('ada')).to.deep.equal([])
    expect(await store.database.collection(subscriptionCollection).get('notes/copy')).to.equal(undefined)
  })

  it('refuse invalid options', async () => {
    const { handle } = createRecordingHandler()
    for (const [subscription, reason] of [
      [{ id: 'Not Kebab', handle }, /kebab-case/],
      [{ id: 'copy', names: [], handle }, /1 to 50 names/],
      [{ id: 'copy', names: ['text.delta'], handle }, /“text.delta” is a delta/],
      [{ id: 'copy', maxEvents: 0, handle }, /maxEvents must be a whole number from 1 to 100000, is 0/],
    ] as const) {
      const refusal = await process.subscribe(subscription).catch((error: unknown) => error)
      expect(refusal).to.have.property('code', 'subscription_invalid')
      expect(String(refusal)).to.match(reason)
    }
    await process.subscribe({ id: 'copy', handle })
    expect(await process.subscribe({ id: 'copy', handle }).catch(String)).to.match(/has already opened it/)
  })

  it('run in one process of a deployment, also for events of others, and in another once it has ended', async () => {
    await process.end()
    process = await startProcessUnderTest(store, { shared: true })
    const other = await startProcessUnderTest(store, { shared: true })
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (const { clock } of [process, other]) await clock.advance(1_000)
        await settle()
      }
    }
    const [mine, theirs] = [createRecordingHandler(), createRecordingHandler()]
    await process.subscribe({ id: 'copy', handle: mine.handle })
    await settle()
    await other.subscribe({ id: 'copy', handle: theirs.handle })
    await pass(6)
    await other.record('ada', 'recorded elsewhere')
    await pass(3)
    expect([mine.texts(), theirs.texts()]).to.deep.equal([['recorded elsewhere'], []])
    await process.end()
    await pass(6)
    await other.record('ada', 'next')
    await pass(3)
    expect([mine.texts(), theirs.texts()]).to.deep.equal([['recorded elsewhere'], ['next']])
    await other.end()
  })
})
