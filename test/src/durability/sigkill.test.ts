import { expect } from 'chai'
import { run } from '../campaigns/sigkill.js'

describe('a writer killed with SIGKILL', function () {
  this.timeout(process.env['FULL'] === '1' ? 1_800_000 : 120_000)

  it('leaves everything acknowledged, nothing half-written, and a store that opens', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const outcomes = await run({ seed, seconds: 15, full: process.env['FULL'] === '1', print: (line) => console.log(`      ${line}`) })
    for (const { driver, kills, acknowledged, problems } of outcomes) {
      expect(problems.slice(0, 5), `${driver}, SEED=${seed}`).to.deep.equal([])
      expect(kills, driver).to.be.greaterThan(2)
      expect(acknowledged, driver).to.be.greaterThan(0)
    }
  })
})
