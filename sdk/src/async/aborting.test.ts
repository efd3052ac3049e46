import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import {
  abortable,
  onAbort,
  processTimers,
  settlesWithin,
  sleep,
  type TimeSource,
  timeLimitError,
  untilAborted,
  withTimeLimit,
} from './index.js'

const reason = new Error('left')
const never = (): Promise<never> => new Promise(() => undefined)
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('Expected an error.'),
    (error: unknown) => error,
  )
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

/** Timers that fire when the test says so. */
function controlledTimers(): TimeSource & { fire(): void; readonly set: number } {
  const timers = new Set<() => void>()
  return {
    after(_milliseconds, callback) {
      timers.add(callback)
      return () => void timers.delete(callback)
    },
    fire() {
      for (const callback of [...timers]) {
        timers.delete(callback)
        callback()
      }
    },
    get set() {
      return timers.size
    },
  }
}

describe('onAbort', () => {
  it('calls once with the reason, at once where that has happened, and never after it was taken away', () => {
    const seen: unknown[] = []
    const controller = new AbortController()
    onAbort(controller.signal, (why) => seen.push(why))
    const forget = onAbort(controller.signal, () => seen.push('taken away'))
    forget()
    forget()
    controller.abort(reason)
    onAbort(controller.signal, (why) => seen.push(['late', why]))
    onAbort(undefined, () => seen.push('without a signal'))
    expect(seen).to.deep.equal([reason, ['late', reason]])
  })
})

describe('abortable', () => {
  it('gives what the work comes to, and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await abortable(async () => 7, signal)).to.equal(7)
    expect(await abortable(Promise.resolve(8), signal)).to.equal(8)
    expect(await abortable(Promise.resolve(9), undefined)).to.equal(9)
    expect(await failureOf(abortable(() => Promise.reject(reason), signal))).to.equal(reason)
    expect(
      await failureOf(
        abortable(() => {
          throw reason
        }, signal),
      ),
    ).to.equal(reason)
    expect(listenersOf(signal)).to.equal(0)
  })

  it('throws the reason at once, even if the work ignores it, and handles its later failure', async () => {
    const controller = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const work = new Promise<never>((_, reject) => {
      fail = reject
    })
    const end = failureOf(abortable(work, controller.signal))
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(listenersOf(controller.signal)).to.equal(0)
    fail(new Error('too late to matter'))
    await new Promise(setImmediate)
  })

  it('begins nothing with a signal that is aborted', async () => {
    let begun = false
    const work = async (): Promise<void> => {
      begun = true
    }
    expect(await failureOf(abortable(work, AbortSignal.abort(reason)))).to.equal(reason)
    expect(begun).to.equal(false)
  })
})

describe('untilAborted', () => {
  it('gives every item and then the end, and leaves no listener', async () => {
    const { signal } = new AbortController()
    async function* source(): AsyncGenerator<number> {
      yield* [1, 2, 3]
    }
    const seen: number[] = []
    for await (const item of untilAborted(source(), signal)) seen.push(item)
    expect(seen).to.deep.equal([1, 2, 3])
    expect(listenersOf(signal)).to.equal(0)
  })

  it('throws the reason in the middle of a wait and asks the source to end', async () => {
    const controller = new AbortController()
    let returned = 0
    const source: AsyncIterable<never> = {
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: () => {
          returned += 1
          return Promise.reject(new Error('a source that fails while it ends'))
        },
      }),
    }
    const items = untilAborted(source, controller.signal)
    const end = failureOf(items.next())
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(returned).to.equal(1)
    expect(await items.next()).to.deep.equal({ done: true, value: undefined })
  })

  it('asks the source to end when the loop is left, and passes its failure on', async () => {
    const { signal } = new AbortController()
    let ended = false
    async function* source(): AsyncGenerator<number> {
      try {
        yield 1
        yield 2
      } finally {
        ended = true
      }
    }
    for await (const _ of untilAborted(source(), signal)) break
    await new Promise(setImmediate)
    expect(ended).to.equal(true)
    expect(listenersOf(signal)).to.equal(0)
    const broken: AsyncIterable<never> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(reason) }) }
    expect(await failureOf(untilAborted(broken, signal).next())).to.equal(reason)
  })
})

describe('sleep', () => {
  it('ends by the clock that it is given', async () => {
    const clock = controlledTimers()
    const { signal } = new AbortController()
    const end = sleep(3_600_000, { signal, clock })
    clock.fire()
    await end
    expect(listenersOf(signal)).to.equal(0)
  })

  it('ends with the signal, and leaves no timer', async () => {
    const clock = controlledTimers()
    const controller = new AbortController()
    const end = failureOf(sleep(3_600_000, { signal: controller.signal, clock }))
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(clock.set).to.equal(0)
    expect(await failureOf(sleep(1, { signal: controller.signal }))).to.equal(reason)
  })

  it('waits by the timers of the process otherwise', async () => {
    const begun = performance.now()
    await sleep(20, { signal: new AbortController().signal, clock: processTimers })
    expect(performance.now() - begun).to.be.at.least(15)
  })
})

describe('settlesWithin', () => {
  it('says whether the work has ended, well or not, and leaves no timer', async () => {
    const clock = controlledTimers()
    expect(await settlesWithin(Promise.resolve(7), { limitMs: 5, clock })).to.equal(true)
    expect(await settlesWithin(Promise.reject(reason), { limitMs: 5, clock })).to.equal(true)
    expect(clock.set).to.equal(0)
    const late = settlesWithin(never(), { limitMs: 5, clock })
    clock.fire()
    expect(await late).to.equal(false)
  })
})

describe('withTimeLimit', () => {
  it('gives the result and leaves neither timer nor listener', async () => {
    const clock = controlledTimers()
    const { signal } = new AbortController()
    expect(await withTimeLimit(async () => 7, { limitMs: 100, signal, clock })).to.equal(7)
    expect(await failureOf(withTimeLimit(() => Promise.reject(reason), { limitMs: 100, signal, clock }))).to.equal(reason)
    expect([clock.set, listenersOf(signal)]).to.deep.equal([0, 0])
  })

  it('ends work that takes no notice, and tells it through its signal', async () => {
    const clock = controlledTimers()
    let given: AbortSignal | undefined
    const work = (signal: AbortSignal): Promise<never> => {
      given = signal
      return never()
    }
    const end = failureOf(withTimeLimit(work, { limitMs: 250, clock, what: 'The search' }))
    clock.fire()
    const error = await end
    expect(timeLimitError.isInstance(error)).to.equal(true)
    expect((error as Error).message).to.contain('The search took longer than 250 ms')
    expect(given?.reason).to.equal(error)
  })

  it('throws the error of its caller, or the reason of the signal where that comes first', async () => {
    const clock = controlledTimers()
    const own = failureOf(withTimeLimit(never, { limitMs: 1, clock, timedOut: () => reason }))
    clock.fire()
    expect(await own).to.equal(reason)
    const controller = new AbortController()
    const left = failureOf(withTimeLimit(never, { limitMs: 1, clock, signal: controller.signal }))
    controller.abort(reason)
    expect(await left).to.equal(reason)
    expect(clock.set).to.equal(0)
  })
})
