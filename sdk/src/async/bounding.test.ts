import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import {
  createBoundedQueue,
  createLimiter,
  createSingleFlight,
  queueClosedError,
  readAtMost,
  readBytes,
  readText,
  streamTooLargeError,
  tooManyWaitingError,
} from './index.js'

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('Expected an error.'),
    (error: unknown) => error,
  )
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
async function* piecesOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

describe('bounded reads', () => {
  it('reads characters that are cut anywhere, up to the limit exactly', async () => {
    const bytes = bytesOf('\ufeffgrün €')
    const single = [...bytes].map((byte) => Uint8Array.of(byte))
    expect(await readText(piecesOf(...single), { maxBytes: bytes.length })).to.equal('grün €')
    expect(await readBytes(piecesOf(), { maxBytes: 0 })).to.deep.equal(new Uint8Array())
  })

  it('ends a source that is too large after one piece more', async () => {
    let given = 0
    let ended = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          given += 1
          yield new Uint8Array(100)
        }
      } finally {
        ended = true
      }
    }
    const error = await failureOf(readBytes(endless(), { maxBytes: 250, what: 'The page' }))
    expect(streamTooLargeError.isInstance(error)).to.equal(true)
    expect((error as Error).message).to.contain('The page is larger than 250 bytes')
    expect([given, ended]).to.deep.equal([3, true])
    const own = new Error('mine')
    expect(await failureOf(readText(endless(), { maxBytes: 1, tooLarge: () => own }))).to.equal(own)
  })

  it('gives the beginning where that is asked for', async () => {
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
    const cut = await readAtMost(piecesOf(bytesOf('abc'), bytesOf('def')), { maxBytes: 4 })
    expect([text(cut.bytes), cut.cut]).to.deep.equal(['abcd', true])
    const whole = await readAtMost(piecesOf(bytesOf('abc'), bytesOf('def')), { maxBytes: 6 })
    expect([text(whole.bytes), whole.cut]).to.deep.equal(['abcdef', false])
  })

  it('ends with the signal', async () => {
    const controller = new AbortController()
    const silent: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    const end = failureOf(readBytes(silent, { maxBytes: 1, signal: controller.signal }))
    const reason = new Error('left')
    controller.abort(reason)
    expect(await end).to.equal(reason)
  })
})

describe('a bounded queue', () => {
  it('keeps the order, and makes writers wait while it is full', async () => {
    const queue = createBoundedQueue<number>({ maxItems: 2 })
    expect([queue.offer(1), queue.offer(2), queue.offer(3)]).to.deep.equal([true, true, false])
    const admitted: number[] = []
    const pushes = [3, 4].map((item) => queue.push(item).then(() => admitted.push(item)))
    await new Promise(setImmediate)
    expect([admitted, queue.size]).to.deep.equal([[], 2])
    const seen: number[] = []
    for await (const item of queue) {
      seen.push(item)
      if (item === 4) queue.close()
    }
    await Promise.all(pushes)
    expect(seen).to.deep.equal([1, 2, 3, 4])
  })

  it('gives a waiting reader what comes, then what waits, then the error', async () => {
    const queue = createBoundedQueue<string>({ maxItems: 4 })
    const items = queue[Symbol.asyncIterator]()
    const first = items.next()
    queue.offer('a')
    queue.offer('b')
    queue.close(new Error('broken'))
    queue.close()
    expect(await first).to.deep.equal({ done: false, value: 'a' })
    expect(await items.next()).to.deep.equal({ done: false, value: 'b' })
    expect(await failureOf(items.next())).to.have.property('message', 'broken')
    expect(queue.offer('c')).to.equal(false)
    expect(queueClosedError.isInstance(await failureOf(queue.push('c')))).to.equal(true)
  })

  it('releases writers that give up, and all of them at its end', async () => {
    const queue = createBoundedQueue<number>({ maxItems: 1 })
    queue.offer(1)
    const controller = new AbortController()
    const left = failureOf(queue.push(2, { signal: controller.signal }))
    const admitted = queue.push(3)
    const late = failureOf(queue.push(4))
    const reason = new Error('left')
    controller.abort(reason)
    expect(await left).to.equal(reason)
    for await (const item of queue) {
      expect(item).to.equal(1)
      break
    }
    await admitted
    expect(queueClosedError.isInstance(await late)).to.equal(true)
    expect(queue.size).to.equal(0)
    expect(getEventListeners(controller.signal, 'abort')).to.have.length(0)
  })
})

describe('a limiter', () => {
  it('lets a bounded number through, the others in order, and refuses beyond its line', async () => {
    const limiter = createLimiter({ maxConcurrent: 2, maxWaiting: 2 })
    const [one] = [await limiter.acquire(), await limiter.acquire()]
    const order: string[] = []
    const third = limiter.acquire().then((release) => {
      order.push('third')
      return release
    })
    const fourth = limiter.acquire().then((release) => {
      order.push('fourth')
      return release
    })
    const refused = await failureOf(limiter.acquire())
    expect(tooManyWaitingError.isInstance(refused)).to.equal(true)
    expect([limiter.active, limiter.waiting]).to.deep.equal([2, 2])
    one?.()
    one?.()
    ;(await third)()
    await fourth
    expect(order).to.deep.equal(['third', 'fourth'])
    expect([limiter.active, limiter.waiting]).to.deep.equal([2, 0])
  })

  it('gives up the place of one that leaves the line', async () => {
    const limiter = createLimiter({ maxConcurrent: 1, maxWaiting: 1 })
    const release = await limiter.acquire()
    const controller = new AbortController()
    const left = failureOf(limiter.acquire({ signal: controller.signal }))
    const reason = new Error('left')
    controller.abort(reason)
    expect(await left).to.equal(reason)
    expect(limiter.waiting).to.equal(0)
    release()
    expect(limiter.active).to.equal(0)
  })
})

describe('single flight', () => {
  it('does the work once for all who ask at the same time, and again afterwards', async () => {
    const flights = createSingleFlight<string, number>()
    let begun = 0
    let finish: (value: number) => void = () => undefined
    const work = (): Promise<number> => {
      begun += 1
      return new Promise((resolve) => {
        finish = resolve
      })
    }
    const controller = new AbortController()
    const left = failureOf(flights.run('a', work, { signal: controller.signal }))
    const stays = flights.run('a', work)
    await new Promise(setImmediate)
    const reason = new Error('left')
    controller.abort(reason)
    expect(await left).to.equal(reason)
    finish(7)
    expect(await stays).to.equal(7)
    expect([begun, flights.size]).to.deep.equal([1, 0])
    expect(await flights.run('a', async () => 8)).to.equal(8)
    expect(await failureOf(flights.run('a', () => Promise.reject(reason)))).to.equal(reason)
    expect(flights.size).to.equal(0)
  })
})
