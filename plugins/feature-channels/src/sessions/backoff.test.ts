import { expect } from 'chai'
import { backoffMs } from './backoff.js'

const settings = { max_retries: 1_000, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 }

describe('the wait before another attempt', () => {
  it('grows up to its maximum, with chance', () => {
    expect([1, 2, 4, 9].map((failures) => backoffMs(settings, failures, () => 1))).to.deep.equal([1_000, 2_000, 8_000, 60_000])
    expect(backoffMs(settings, 9, () => 0.5)).to.equal(30_500)
    expect(backoffMs({ ...settings, max_retries: 3 }, 4)).to.equal(undefined)
  })

  it('is a second at least and a number, whatever the settings and however many failures', () => {
    for (const initial of [0, 1, 86_400_000])
      for (const multiplier of [1, 1_000])
        for (const max of [0, 86_400_000])
          for (const failures of [1, 104, 1_000, 1_000_000]) {
            const own = { max_retries: 4_294_967_295, initial_backoff_ms: initial, backoff_multiplier: multiplier, max_backoff_ms: max }
            expect(backoffMs(own, failures, () => 0)).to.equal(1_000)
            expect(backoffMs(own, failures, () => 1)).to.be.within(1_000, 86_400_000)
          }
  })
})
