import { expect } from 'chai'
import { run } from '../campaigns/consolidation.js'
import { seedOfRun } from '../support/random.js'

describe('consolidation killed with SIGKILL', function () {
  this.timeout(120_000)

  it('goes on with the next process, and comes to the very same memories', async () => {
    const { kills } = await run({ seed: seedOfRun(), seconds: 5, full: false, print: (line) => console.log(`      ${line}`) })
    expect(kills).to.be.greaterThan(0)
  })
})
