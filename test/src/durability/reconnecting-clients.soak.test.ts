import { expect } from 'chai'
import { run } from '../campaigns/reconnecting-clients.js'
import { seedOfRun } from '../support/random.js'

describe('a tab whose connection breaks repeatedly', function () {
  this.timeout(180_000)

  it('gets every state event once and in order, and shows the stored content', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 5, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.reconnects).to.be.greaterThan(9)
    expect(outcome.resets).to.be.greaterThan(0)
    expect(outcome.pages).to.be.greaterThan(0)
    expect(outcome.deltas).to.be.greaterThan(0)
  })
})
