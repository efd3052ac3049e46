import { expect } from 'chai'
import { run } from '../campaigns/backup.js'
import { seedOfRun } from '../support/random.js'

describe('a backup under load', function () {
  this.timeout(120_000)

  it('has every write that was acknowledged before it began, in flat memory, and is refused when damaged', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 10, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.messages + outcome.files).to.be.at.least(40)
    expect(outcome.refused).to.equal(6)
    expect(outcome.bytes).to.be.greaterThan(64 * 1_048_576)
  })
})
