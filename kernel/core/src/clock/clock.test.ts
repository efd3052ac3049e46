import { expect } from 'chai'
import { createSystemClock } from './system-clock.js'
import { createControlledClock } from './testing/controlled-clock.js'

describe('system clock', () => {
  it('refuses at the call what it could not call later', () => {
    expect(() => createSystemClock().after(1, 'x' as never)).to.throw('clock.after() takes a function to call, and got string.')
  })
})

describe('controlled clock', () => {
  it('fires timers in the order of their times, then of their creation', async () => {
    const clock = createControlledClock({ now: 1000 })
    const fired: string[] = []
    const note = (name: string) => (): void => void fired.push(`${name}@${clock.now()}`)
    clock.after(20, note('late'))
    clock.after(10, note('first'))
    clock.after(10, note('second'))
    clock.after(31, note('beyond'))
    await clock.advance(30)
    expect(fired).to.deep.equal(['first@1010', 'second@1010', 'late@1020'])
    expect(clock.now()).to.equal(1030)
    expect(clock.pending()).to.equal(1)
  })

  it('fires timers that are created in the meantime, also after awaits', async () => {
    const clock = createControlledClock()
    const moments: number[] = []
    const work = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await clock.wait(10, { signal: AbortSignal.timeout(5000) })
        await Promise.resolve()
        moments.push(clock.monotonic())
      }
    }
    const done = work()
    await clock.advance(100)
    await done
    expect(moments).to.deep.equal([10, 20, 30])
  })

  it('does not fire cancelled timers, and cancelling twice does nothing', async () => {
    const clock = createControlledClock()
    let fired = 0
    const cancel = clock.after(5, () => fired++)
    await cancel()
    await cancel()
    await clock.advance(10)
    expect(fired).to.equal(0)
    expect(clock.pending()).to.equal(0)
  })

  it('rejects a wait with the reason of its signal and leaves no timer', async () => {
    const clock = createControlledClock()
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = clock.wait(1000, { signal: controller.signal }).then(
      () => 'resolved',
      (error: unknown) => error,
    )
    controller.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(clock.pending()).to.equal(0)
    expect(await clock.wait(1, { signal: controller.signal }).catch((error: unknown) => error)).to.equal(reason)
  })

  it('keeps monotonic time when the wall clock is set back', async () => {
    const clock = createControlledClock({ now: 1_000_000 })
    let fired = 0
    clock.after(50, () => fired++)
    clock.setNow(5000)
    await clock.advance(50)
    expect(fired).to.equal(1)
    expect(clock.now()).to.equal(5050)
    expect(clock.monotonic()).to.equal(50)
  })

  it('refuses to go back and to advance twice at once', async () => {
    const clock = createControlledClock()
    const failure = async (call: Promise<void>): Promise<string> => call.then(() => 'resolved', String)
    expect(await failure(clock.advance(-1))).to.contain('Time cannot be advanced')
    expect(await failure(clock.advance(Number.NaN))).to.contain('Time cannot be advanced')
    const first = clock.advance(1)
    expect(await failure(clock.advance(1))).to.contain('Await the earlier call first')
    await first
  })
})

describe('system clock', () => {
  it('waits at least as long as asked', async () => {
    const clock = createSystemClock()
    const started = clock.monotonic()
    await clock.wait(20, { signal: AbortSignal.timeout(5000) })
    expect(clock.monotonic() - started).to.be.at.least(19)
    expect(Math.abs(clock.now() - Date.now())).to.be.below(1000)
  })

  it('does not fire a delay beyond the platform’s limit at once', async () => {
    const clock = createSystemClock()
    let fired = false
    const cancel = clock.after(2 ** 31 + 5, () => {
      fired = true
    })
    await clock.wait(20, { signal: AbortSignal.timeout(5000) })
    await cancel()
    expect(fired).to.equal(false)
  })

  it('ends a wait at an abort', async () => {
    const controller = new AbortController()
    const waiting = createSystemClock()
      .wait(60_000, { signal: controller.signal })
      .catch((error: unknown) => error)
    controller.abort(new Error('stop'))
    expect(String(await waiting)).to.equal('Error: stop')
  })
})
