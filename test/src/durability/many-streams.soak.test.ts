import { expect } from 'chai'
import { run } from '../campaigns/many-streams.js'
import { createDelayFigures, growth } from '../campaigns/support/delay-figures.js'
import { seedOfRun } from '../support/random.js'

describe('many open streams', function () {
  this.timeout(180_000)

  it('all get the same events, and their delay is printed', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 4, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.events).to.be.at.least(outcome.streams)
    expect(outcome.p50).to.be.greaterThan(0)
  })

  it('are measured within 2 per cent', () => {
    const figures = createDelayFigures()
    for (let value = 1; value <= 1_000; value += 1) figures.add(value)
    expect(figures.quantile(0.5)).to.be.within(490, 511)
    expect(figures.quantile(0.99)).to.be.within(970, 1_011)
    expect(figures.count()).to.equal(1_000)
  })

  it('distinguish growing from fluctuating memory', () => {
    const over = (memory: (second: number) => number) => growth(Array.from({ length: 300 }, (_, second) => memory(second)))
    expect(over((second) => 200 + 30 * Math.sin(second))).to.equal(undefined)
    expect(over((second) => 200 + second / 2)).to.match(/grew from 225 MiB .* to 325 MiB/)
  })
})
