import { expect } from 'chai'
import { run } from '../campaigns/configuration-saves.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { killWriters, race } from './support/configuration-writers.js'

describe('saving the configuration from several processes', function () {
  this.timeout(120_000)

  it('loses and mixes nothing, tells every loser, and leaves a whole file however often a saver is killed', async () => {
    const { saved, stale, kills } = await run({ seed: seedOfRun(), seconds: 4, full: false, print: (line) => console.log(`      ${line}`) })
    expect(saved + stale).to.be.at.least(80)
    expect(stale).to.be.at.least(1)
    expect(kills).to.be.at.least(2)
  })

  it('would be found out without the lock', async () => {
    const { problems } = await race(40, 'lock')
    expect(problems).to.not.deep.equal([])
  })

  it('would be found out when the file was written into, not replaced', async () => {
    // The first file that is not whole ends it: nearly always one of the first kills, but by chance.
    const { problems } = await killWriters(createRandom(seedOfRun()).next, (kills) => kills < 100, 'rename')
    expect(problems.join()).to.contain('not whole')
  })
})
