import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { costOf, dollarsOf } from './price.js'

const used = (changes: Partial<ModelUsage>): ModelUsage => ({
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  ...changes,
})
const price = { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 }
const dollars = (usage: ModelUsage, of = price as Parameters<typeof costOf>[1]): number => dollarsOf(costOf(usage, of) ?? Number.NaN)

describe('the cost of a call', () => {
  it('adds plain, cached and written input and output, each at its price per million tokens', () => {
    const usage = used({ input_tokens: 1_000_000, cached_input_tokens: 400_000, cache_write_input_tokens: 100_000, output_tokens: 10_000 })
    expect(dollars(usage)).to.equal(0.5 * 3 + 0.4 * 0.3 + 0.1 * 3.75 + 0.01 * 15)
  })

  it('uses the price of input if none is known for cached or written input', () => {
    const usage = used({ input_tokens: 1_000_000, cached_input_tokens: 500_000, cache_write_input_tokens: 500_000 })
    expect(dollars(usage, { input: 2, output: 1 })).to.equal(2)
  })

  it('uses the tier with the highest bound that the prompt exceeds', () => {
    const tiered = {
      ...price,
      tiers: [
        { above_input_tokens: 100, input: 6, output: 0 },
        { above_input_tokens: 200, input: 9, output: 0 },
      ],
    }
    const at = (tokens: number): number => costOf(used({ input_tokens: tokens }), tiered) ?? 0
    expect([at(100), at(101), at(201)]).to.deep.equal([300_000, 606_000, 1_809_000])
  })

  it('is the cost that the vendor reports, and unknown without any price', () => {
    expect(dollars(used({ input_tokens: 5, cost_usd: 0.01 }))).to.equal(0.01)
    expect(costOf(used({ input_tokens: 5 }), undefined)).to.equal(undefined)
  })

  it('is never negative for contradictory counts', () => {
    expect(costOf(used({ input_tokens: 1, cached_input_tokens: 5, cache_write_input_tokens: 9 }), price)).to.be.at.least(0)
  })
})
