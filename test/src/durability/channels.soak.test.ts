import { expect } from 'chai'
import { run } from '../campaigns/channels.js'
import { seedOfRun } from '../support/random.js'

describe('channels of a service that is killed with SIGKILL', function () {
  this.timeout(240_000)

  it('answer each message once, and say where that cannot be known', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 10, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.kills).to.equal(2)
    expect(outcome.messages).to.equal(25)
  })
})
