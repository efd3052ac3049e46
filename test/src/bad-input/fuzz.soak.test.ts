import { expect } from 'chai'
import { run } from '../campaigns/random-requests.js'
import { seedOfRun } from '../support/random.js'

describe('random requests', function () {
  this.timeout(180_000)
  const seed = seedOfRun()

  it(`are answered as declared, never as a fault of the service, never with silence (SEED=${seed})`, async () => {
    const seen = await run({ seed, seconds: 60, full: false, print: () => undefined })
    // The requests reached something: some were done, and each way of refusing was seen.
    expect([...seen.keys()]).to.include.members([200, 400, 401, 404, 405, 422])
  })
})
