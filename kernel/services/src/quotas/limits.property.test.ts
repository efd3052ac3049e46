import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { Hold } from '@agent-service/sdk/services/quotas'
import { expect } from 'chai'
import fc from 'fast-check'
import { createLimit } from './create-limit.js'

const holders = ['a', 'b', 'c'] as const
const maxPerHolder = 12
const maxTotal = 20
const reserve = { amount: 6, upTo: 3 }

const holder = fc.constantFrom(...holders)
const amount = fc.integer({ min: 0, max: 14 })
const which = fc.nat({ max: 20 })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('take' as const), holder, amount }),
    fc.record({ kind: fc.constant('acquire' as const), holder, amount, abort: fc.boolean() }),
    fc.record({ kind: fc.constant('resize' as const), which, amount }),
    fc.record({ kind: fc.constant('release' as const), which }),
    fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.nat({ max: 400 }) }),
  ),
  { minLength: 5, maxLength: 60, size: 'max' },
)

/**
 * Applies steps to a limit that waits, displaces and has a reserve, and checks its guarantees after
 * each.
 */
async function play(all: readonly (typeof steps extends fc.Arbitrary<readonly (infer Step)[]> ? Step : never)[]): Promise<void> {
  const clock = createControlledClock()
  const limit = createLimit(
    {
      ...{ name: 'things', counts: 'things', maxPerHolder, maxTotal, reserve, displaceIdleMs: 300 },
      waiting: { maxPerHolder: 3, maxTotal: 6, maxMs: 500 },
    },
    { clock, log: createRecordingLog() },
  )
  const held = new Set<Hold>()
  const aborts: AbortController[] = []
  let unsettled = 0
  const options = () => {
    const since = clock.monotonic()
    return { lastUsed: () => since }
  }
  const check = (): void => {
    const amounts = [...held].map((hold) => hold.amount)
    for (const each of holders) {
      const own = [...held].filter((hold) => hold.holder === each).reduce((sum, hold) => sum + hold.amount, 0)
      expect(limit.used(each)).to.equal(own).and.to.be.at.most(maxPerHolder)
    }
    expect(limit.total())
      .to.equal(amounts.reduce((sum, each) => sum + each, 0))
      .and.to.be.at.most(maxTotal)
    const large = amounts.filter((each) => each > reserve.upTo).reduce((sum, each) => sum + each, 0)
    expect(large).to.be.at.most(maxTotal - reserve.amount)
    expect(limit.waiting()).to.equal(unsettled).and.to.be.at.most(6)
  }
  for (const step of all) {
    const chosen = 'which' in step ? [...held][step.which % Math.max(1, held.size)] : undefined
    try {
      if (step.kind === 'take') held.add(limit.take(step.holder, step.amount, options()))
      if (step.kind === 'resize') chosen?.resize(step.amount)
    } catch (error) {
      expect(error).to.have.property('code').that.is.oneOf(['limit_reached', 'overloaded'])
    }
    if (step.kind === 'release') {
      chosen?.release()
      if (chosen) held.delete(chosen)
    }
    if (step.kind === 'acquire') {
      const controller = new AbortController()
      unsettled += 1
      limit
        .acquire(step.holder, step.amount, { signal: controller.signal, ...options() })
        .then((hold) => held.add(hold))
        .catch(() => undefined)
        .finally(() => {
          unsettled -= 1
        })
      if (step.abort) controller.abort()
      aborts.push(controller)
    }
    await clock.advance(step.kind === 'wait' ? step.milliseconds : 0)
    check()
  }
  await clock.advance(500)
  expect(unsettled).to.equal(0)
  for (const hold of held) hold.release()
  expect([limit.total(), limit.holders(), limit.waiting(), clock.pending()]).to.deep.equal([0, 0, 0, 0])
}

describe('a limit under random work', () => {
  it('never exceeds its maximum, keeps its reserve, ends every wait, and removes every holder', async function () {
    this.timeout(60_000)
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: 300 })
  })
})
