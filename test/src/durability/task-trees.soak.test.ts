import { expect } from 'chai'
import { run } from '../campaigns/task-trees.js'
import { seedOfRun } from '../support/random.js'

describe('tasks that wait for others, of a service that is killed with SIGKILL', function () {
  this.timeout(180_000)

  it('run each child once, end what never ends, and leave no process', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 10, full: false, print: (line) => console.log(`      ${line}`) })
    expect([...outcome.moments]).to.have.length(2)
    expect(outcome.kills).to.be.greaterThan(5)
    expect(outcome.trees).to.be.greaterThan(0)
    expect(outcome.most).to.be.within(2, 4)
  })
})
