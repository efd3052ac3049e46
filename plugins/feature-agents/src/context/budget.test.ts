import type { InferenceLimits, ModelGroup } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import fc from 'fast-check'
import { compactionThreshold, contextBudget, contextWindow, resultRoom } from './budget.js'

const limits: InferenceLimits = { max_tool_turns: 200, default_max_tokens: 8_192, history_truncation_pct: 90 }
const groupOf = (name: string, window: number, maximum?: number): ModelGroup => ({
  name,
  provider: 'p',
  model: 'm',
  context_window: window,
  ...(maximum === undefined ? {} : { max_tokens: maximum }),
})
const inference = (...groups: readonly ModelGroup[]) => ({ groups: () => groups, limits })

describe('the budget of a context', () => {
  it('keeps the answer’s share first', () => {
    for (const [window, maximum, reserve] of [
      [128_000, undefined, 8_192],
      [128_000, 4_096, 4_096],
      [10_000, undefined, 5_000],
      [10_001, undefined, 5_000],
      [8_192, 100_000, 4_096],
      [16_384, undefined, 8_192],
      [1, 1, 0],
    ] as const) {
      expect(contextWindow(inference(groupOf('primary', window, maximum)), 'primary'), `${window}, ${maximum}`).to.deep.equal({
        window,
        reserve,
      })
    }
  })

  it('is that of the named group, or of primary, or of an unknown model', () => {
    const groups = [groupOf('primary', 32_000, 1_000), groupOf('small', 4_000, 500)]
    expect(contextWindow(inference(...groups), 'small')).to.deep.equal({ window: 4_000, reserve: 500 })
    expect(contextWindow(inference(...groups), 'absent')).to.deep.equal({ window: 32_000, reserve: 1_000 })
    expect(contextWindow(inference(), 'primary')).to.deep.equal({ window: 128_000, reserve: 8_192 })
  })

  it('has the numbers of the specification', () => {
    // W, R, system and tools, per cent → history, threshold; worked out by hand.
    for (const [window, reserve, fixed, pct, history, threshold] of [
      [128_000, 8_192, 1_808, 90, 106_200, 95_846.4],
      [4_000, 500, 400, 90, 2_790, 2_800],
      [4_000, 2_000, 0, 100, 2_000, 1_600],
      [4_000, 500, 333, 33, 1_045, 2_800],
      [1_000, 500, 600, 90, 0, 400],
      [200_000, 64_000, 12_345, 1, 1_236, 108_800],
      [7, 3, 0, 90, 3, 3.2],
    ] as const) {
      const budget = contextBudget({ window, reserve }, fixed, pct)
      expect(budget, `${window}-${reserve}-${fixed} at ${pct}`).to.deep.equal({ fixed, history, compactAbove: threshold })
    }
  })

  it('never gives the history more than the room left by the answer and the rest', () => {
    const size = fc.integer({ min: 1, max: 2_000_000 })
    fc.assert(
      fc.property(size, fc.option(size, { nil: undefined }), size, fc.integer({ min: 1, max: 100 }), (window, maximum, fixed, pct) => {
        const place = contextWindow(inference(groupOf('primary', window, maximum)), 'primary')
        const { history } = contextBudget(place, fixed, pct)
        expect(place.reserve).to.be.at.most(window / 2)
        expect(history).to.be.at.least(0)
        if (history > 0) expect(place.reserve + fixed + history).to.be.at.most(window)
        // Exactly 0.8 × (W − R), whatever a floating point says.
        const whole = BigInt(window - place.reserve) * 4n
        for (const tokens of [whole / 5n - 1n, whole / 5n, whole / 5n + 1n])
          expect(Number(tokens) > compactionThreshold(place)).to.equal(tokens * 5n > whole)
      }),
    )
  })

  it('leaves half of the rest to the results of a turn', () => {
    expect(resultRoom(inference(groupOf('primary', 4_000, 500)), 'primary')).to.equal(1_750)
  })
})
