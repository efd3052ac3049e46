import { expect } from 'chai'
import { run } from '../campaigns/schedules.js'
import { seedOfRun } from '../support/random.js'

describe('schedules of a service that is killed with SIGKILL', function () {
  this.timeout(120_000)

  it('happen once for each time: none twice, none forgotten', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 6, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.kills).to.be.greaterThan(1)
    expect(outcome.times).to.be.greaterThan(3)
    expect(outcome.notifications).to.be.greaterThan(1)
  })
})
