import { expect } from 'chai'
import { run } from '../campaigns/configuration.js'
import { seedOfRun } from '../support/random.js'

describe('file and environment', function () {
  this.timeout(60_000)

  it('give the same configuration, in whatever way it is split between them', async () => {
    const { runs } = await run({ seed: seedOfRun(), seconds: 0, full: false, print: () => undefined })
    expect(runs).to.be.at.least(60)
  })
})
