import { expect } from 'chai'
import { run } from '../campaigns/crashing-runs.js'
import { seedOfRun } from '../support/random.js'

describe('runs of a service that is killed with SIGKILL', function () {
  this.timeout(180_000)

  it('end, with every call done as its tool allows and nothing lost or doubled', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 4, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.kills).to.be.greaterThan(2)
    expect(outcome.forced.size).to.be.greaterThan(0)
    expect(outcome.calls).to.equal(outcome.runs * 6)
    expect(outcome.resuming.map(({ runs, goingOn }) => ({ runs, goingOn }))).to.deep.equal([{ runs: 40, goingOn: 32 }])
  })
})
