import { expect } from 'chai'
import { maxDelta, run } from '../campaigns/share-timing.js'
import { cliffsDelta } from '../campaigns/support/effect-size.js'
import { createRandom, seedOfRun } from '../support/random.js'

describe('links that do not work', function () {
  this.timeout(60_000)

  it('cannot be told apart, by bytes or by time', async () => {
    const { deltas } = await run({ seed: seedOfRun(), seconds: 15, full: false, print: (line) => console.log(`    ${line}`) })
    expect(Object.keys(deltas)).to.have.length(10)
  })

  it('would be found to differ if one took half a millisecond longer', () => {
    const random = createRandom(1)
    const times = (shift: number) => Array.from({ length: 100 }, () => 25 + shift + random.next())
    expect(Math.abs(cliffsDelta(times(0), times(0)))).to.be.below(maxDelta(100))
    expect(cliffsDelta(times(0.5), times(0))).to.be.above(maxDelta(100))
    expect([cliffsDelta([2, 3], [1]), cliffsDelta([1], [2, 3]), cliffsDelta([1], [1])]).to.deep.equal([1, -1, 0])
  })
})
