import type { ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { KnownPrice } from '../catalogue/known-price.js'
import { costOf, costSourceOf, dollarsOf } from './price.js'

const used = (changes: Partial<ModelUsage>): ModelUsage => ({
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  ...changes,
})
const price = { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 }
const known = (catalogue: KnownPrice['catalogue'], own?: KnownPrice['own']): KnownPrice => ({ own, catalogue })
const dollars = (usage: ModelUsage, of: KnownPrice['catalogue'] = price, own?: KnownPrice['own']): number =>
  dollarsOf(costOf(usage, known(of, own)) ?? Number.NaN)

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
    const at = (tokens: number): number => costOf(used({ input_tokens: tokens }), known(tiered)) ?? 0
    expect([at(100), at(101), at(201)]).to.deep.equal([300_000, 606_000, 1_809_000])
  })

  it('is the cost that the vendor reports, and unknown without any price', () => {
    expect(dollars(used({ input_tokens: 5, cost_usd: 0.01 }))).to.equal(0.01)
    expect(costOf(used({ input_tokens: 5 }), known(undefined))).to.equal(undefined)
  })

  it('is that of the configuration, whatever the vendor reports and the catalogue says', () => {
    const usage = used({ input_tokens: 1_000_000, cached_input_tokens: 400_000, output_tokens: 100_000, cost_usd: 99 })
    const own = { input: 2, cached_input: 1, output: 10 }
    expect(dollars(usage, price, own)).to.equal(0.6 * 2 + 0.4 * 1 + 0.1 * 10)
    expect(dollars(usage, undefined, { input: 2, output: 10 })).to.equal(3)
    expect(dollars(usage, price, { output: 10 })).to.equal(0.6 * 3 + 0.4 * 0.3 + 1)
    expect(dollars(usage, price, { input: 1 })).to.equal(1 + 1.5)
    expect(dollarsOf(costOf(usage, known(undefined, { input: 1 })) ?? 0)).to.equal(99)
    expect(dollars(usage, price, { input: 0, output: 0 })).to.equal(0)
    expect(costSourceOf(usage, known(price, own))).to.equal('configuration')
    expect(costSourceOf(usage, known(price))).to.equal('vendor')
    expect(costSourceOf(used({}), known(price))).to.equal('catalogue')
    expect(costSourceOf(used({}), known(undefined))).to.equal(undefined)
  })

  it('is never negative for contradictory counts', () => {
    expect(costOf(used({ input_tokens: 1, cached_input_tokens: 5, cache_write_input_tokens: 9 }), known(price))).to.be.at.least(0)
  })
})
