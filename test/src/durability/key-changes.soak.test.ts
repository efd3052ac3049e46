import { expect } from 'chai'
import { run } from '../campaigns/key-changes.js'
import { seedOfRun } from '../support/random.js'

describe('keys that are changed under SIGKILL', function () {
  this.timeout(120_000)

  it('leave everything readable under exactly one secret', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 6, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.rotationKills).to.be.greaterThan(0)
    expect(outcome.rekeyKills).to.be.greaterThan(0)
  })
})
