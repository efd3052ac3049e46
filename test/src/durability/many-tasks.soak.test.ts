import { expect } from 'chai'
import { run } from '../campaigns/many-tasks.js'
import { seedOfRun } from '../support/random.js'

describe('more tasks than places', function () {
  this.timeout(120_000)

  it('are never more at work than the places, fair to their users, and all end', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 10, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.tasks).to.equal(160)
    expect(outcome.most).to.be.within(2, 10)
    expect(outcome.unfairness).to.be.within(0, 5)
  })
})
