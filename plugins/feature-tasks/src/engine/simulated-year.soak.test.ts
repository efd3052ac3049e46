import { expect } from 'chai'
import { compareYear } from '../test-support/compare-year.js'

describe('a schedule over a year', function () {
  this.timeout(180_000)

  it('happens in twelve zones exactly when an independent computation says', async () => {
    const compared = await compareYear(['30 2 * * 0', '15,45 1-2/1 * 3,4,10,11 0', '5 0 L * *'])
    console.log(`      ${compared} times in 12 zones compared`)
    expect(compared).to.be.greaterThan(1_000)
  })
})
