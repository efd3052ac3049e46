import { expect } from 'chai'
import { run } from '../campaigns/sigkill.js'
import { seedOfRun } from '../support/random.js'

describe('a writer killed with SIGKILL', function () {
  this.timeout(120_000)

  it('leaves every acknowledged write, nothing half-written, and a store that opens', async () => {
    const outcomes = await run({ seed: seedOfRun(), seconds: 5, full: false, print: (line) => console.log(`      ${line}`) })
    for (const { driver, kills, acknowledged } of outcomes) {
      expect(kills, driver).to.be.greaterThan(2)
      expect(acknowledged, driver).to.be.greaterThan(0)
    }
  })
})
