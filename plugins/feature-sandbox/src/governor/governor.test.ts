import type { EndReason, ProcessUsage } from '@agent-service/sdk/contracts/sandbox-driver'
import { createTestClock, createTestContext, type TestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { UsageLimits } from './decide-ends.js'
import { createGovernor, type Governor } from './governor.js'

const limits: UsageLimits = { cpu: 0.5, memoryBytes: 1_000, totalCpu: 0.9, totalMemoryBytes: 2_000 }

describe('the governor', () => {
  let clock: TestClock
  let governor: Governor
  let usage: Map<string, ProcessUsage>
  let ended: (readonly [string, EndReason, number])[]
  let readings: number
  let fails: boolean
  const stop = new AbortController()

  const use = (id: string, cpuMs: number, memoryBytes = 1): void =>
    void usage.set(id, { id, principal: id[0] ?? '', cpuMs, memoryBytes, processes: 1 })

  beforeEach(() => {
    clock = createTestClock()
    usage = new Map()
    ended = []
    readings = 0
    fails = false
    governor = createGovernor({
      ...{ clock, limits, processors: 2, signal: stop.signal, log: createTestContext({ config: {} }).context.log },
      running: () => [...usage.keys()],
      async measure() {
        readings += 1
        if (fails) throw new Error('not now')
        return [...usage.values()]
      },
      end(id, reason) {
        ended.push([id, reason, clock.now() - Date.UTC(2026, 0, 1)])
        usage.delete(id)
      },
      onMeasured: () => undefined,
    })
  })

  it('measures only while something runs: each second, and more often near a limit', async () => {
    await clock.advance(60_000)
    expect(readings).to.equal(0)
    use('a', 0)
    governor.watch()
    governor.watch()
    await clock.advance(10_250)
    expect(readings).to.equal(11)
    use('a', 0, 600)
    await clock.advance(1_000)
    const before = readings
    await clock.advance(1_000)
    expect(readings - before).to.equal(4)
    usage.clear()
    await clock.advance(1_000)
    const last = readings
    await clock.advance(60_000)
    expect(readings).to.equal(last)
    use('b', 0)
    governor.watch()
    await clock.advance(250)
    expect(readings).to.equal(last + 1)
  })

  it('ends a tree that takes too much on average over ten seconds, and not one that does for a moment', async () => {
    use('spinner', 0)
    use('burst', 0)
    governor.watch()
    for (let second = 1; second <= 12; second += 1) {
      if (usage.has('spinner')) use('spinner', second * 2_000)
      use('burst', Math.min(second, 2) * 2_000)
      await clock.advance(1_000)
    }
    expect(ended.map(([id, reason]) => [id, reason])).to.deep.equal([['spinner', 'cpu_limit']])
    expect(ended[0]?.[2]).to.be.within(5_000, 6_500)
  })

  it('ends the heaviest tree of a principal at the reading that shows too much memory', async () => {
    use('a1', 0, 400)
    use('a2', 0, 700)
    use('b1', 0, 900)
    governor.watch()
    await clock.advance(250)
    expect(ended.map(([id, reason]) => [id, reason])).to.deep.equal([['a2', 'memory_limit']])
  })

  it('goes on after a reading that fails', async () => {
    use('a', 0, 2_000)
    fails = true
    governor.watch()
    await clock.advance(1_000)
    expect(ended).to.deep.equal([])
    fails = false
    await clock.advance(1_000)
    expect(ended.map(([id]) => id)).to.deep.equal(['a'])
  })
})
