import { expect } from 'chai'
import { chosenAttacks } from '../campaigns/support/worst-account/attacks.js'
import { run } from '../campaigns/worst-account.js'
import { seedOfRun } from '../support/random.js'

describe('one account that attacks the service', function () {
  this.timeout(90_000)

  it('leaves the others served, and no resource in use', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 6, full: false, print: (line) => console.log(`      ${line}`) })
    expect(outcome.gets.count).to.be.greaterThan(0)
    expect(outcome.turns.count).to.be.greaterThan(0)
  })

  it('runs the selected attacks, and reports unknown ones', () => {
    expect(chosenAttacks(' streams, bodies')).to.deep.equal(['streams', 'bodies'])
    expect(chosenAttacks(undefined)).to.include.members(['streams', 'tokens'])
    expect(chosenAttacks(undefined, { full: false }))
      .to.include('streams')
      .and.not.include('tokens')
    expect(() => chosenAttacks('strems')).to.throw(/no attack “strems”\. There are streams/)
  })
})
