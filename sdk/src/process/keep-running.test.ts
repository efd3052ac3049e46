import { expect } from 'chai'
import { type Child, type KeptProcess, type KeptState, keepRunning, processGoneError, restartsUsedUpError, startChild } from './index.js'

const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('Expected an error.'),
    (error: Error) => error,
  )
const idle = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], graceMs: 2_000 }

/** A clock whose pauses end at once and are noted, and whose time the test sets. */
function quickClock(): {
  readonly pauses: number[]
  now: number
  after(ms: number, callback: () => void): () => void
  monotonic(): number
} {
  const clock = {
    pauses: [] as number[],
    now: 0,
    after(milliseconds: number, callback: () => void) {
      // The limit of a start is no pause.
      if (milliseconds === 77_777) return () => undefined
      clock.pauses.push(milliseconds)
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    },
    monotonic: () => clock.now,
  }
  return clock
}

describe('keepRunning', () => {
  it('starts again what ends, with growing pauses, until its budget is used up', async () => {
    const clock = quickClock()
    const states: KeptState[] = []
    let reason: string | undefined
    let starts = 0
    const failed = new Promise<void>((resolve) => {
      keepRunning({
        name: 'a server',
        clock,
        startLimitMs: 77_777,
        restarts: { maxRestarts: 3, delayMs: 100, maxDelayMs: 300 },
        start: async (): Promise<Child> => {
          starts += 1
          return startChild({ command: process.execPath, args: ['-e', 'process.exit(5)'] })
        },
        onChange(state, why) {
          states.push(state)
          reason = why ?? reason
          if (state === 'failed') resolve()
        },
      })
    })
    await failed
    expect([starts, clock.pauses]).to.deep.equal([4, [100, 200, 300]])
    expect(states.slice(0, 4)).to.deep.equal(['starting', 'running', 'waiting', 'starting'])
    expect(reason).to.equal('it ended with status 5')
  })

  it('returns the running one, the next one after its end, and the reason if there is none', async () => {
    const clock = quickClock()
    const started: Child[] = []
    const kept = keepRunning({
      name: 'a server',
      clock,
      startLimitMs: 77_777,
      restarts: { maxRestarts: 1 },
      async start() {
        const child = await startChild(idle)
        started.push(child)
        return child
      },
    })
    const first = await kept.ready()
    expect([first, kept.state]).to.deep.equal([started[0], 'running'])
    process.kill(first.pid, 'SIGKILL')
    await first.exit
    const second = await nextOf(kept, first)
    process.kill(second.pid, 'SIGKILL')
    await second.exit
    while (kept.state !== 'failed') await new Promise(setImmediate)
    const error = await failureOf(kept.ready())
    expect(restartsUsedUpError.isInstance(error)).to.equal(true)
    expect(error.message).to.contain('it was ended by SIGKILL')
    await kept.stop()
  })

  it('forgets old restarts', async () => {
    const clock = quickClock()
    let starts = 0
    const kept = keepRunning({
      name: 'a server',
      clock,
      startLimitMs: 77_777,
      restarts: { maxRestarts: 2, withinMs: 1_000, delayMs: 10 },
      async start(): Promise<Child> {
        starts += 1
        clock.now += 600
        if (starts < 6) throw new Error('not yet')
        return startChild(idle)
      },
    })
    expect(await kept.ready()).to.have.property('pid')
    expect([starts, clock.pauses]).to.deep.equal([6, [10, 20, 20, 20, 20]])
    await kept.stop()
  })

  it('ends for good: stops a running one, cancels a starting one, and rejects waiters', async () => {
    const running = keepRunning({ name: 'a server', start: () => startChild(idle) })
    const child = await running.ready()
    await Promise.all([running.stop(), running.stop()])
    expect([(await child.exit).reason, running.state]).to.deep.equal(['stopped', 'stopped'])
    expect(processGoneError.isInstance(await failureOf(running.ready()))).to.equal(true)

    let late: (child: Child) => void = () => undefined
    const starting = keepRunning<Child>({
      name: 'a slow server',
      start: () =>
        new Promise((resolve) => {
          late = resolve
        }),
    })
    const waiting = failureOf(starting.ready())
    await starting.stop()
    expect(processGoneError.isInstance(await waiting)).to.equal(true)
    const orphan = await startChild(idle)
    late(orphan)
    expect((await orphan.exit).reason).to.equal('stopped')
  })

  it('gives up a start that takes too long', async () => {
    const told: unknown[] = []
    const kept = keepRunning<Child>({
      name: 'a slow server',
      startLimitMs: 20,
      restarts: { maxRestarts: 0 },
      start: (signal) => {
        signal.addEventListener('abort', () => told.push(signal.reason))
        return new Promise(() => undefined)
      },
    })
    expect((await failureOf(kept.ready())).message).to.contain('The start of “a slow server” took longer than 20 ms')
    expect(told).to.have.length(1)
  })
})

/** The one after another. */
async function nextOf(kept: KeptProcess<Child>, before: Child): Promise<Child> {
  for (;;) {
    const now = await kept.ready()
    if (now !== before) return now
    await new Promise(setImmediate)
  }
}
