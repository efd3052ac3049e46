import { expect } from 'chai'
import { run } from '../campaigns/sandbox-file-attacks.js'
import { callNames } from '../campaigns/support/file-attacks/file-calls.js'
import { seedOfRun } from '../support/random.js'

describe('the files of an agent, whose processes attack them', function () {
  this.timeout(120_000)

  it('lead no route and no tool outside, and none of them waits', async () => {
    const lines: string[] = []
    const { attacks, outcomes } = await run({ seed: seedOfRun(), seconds: 4, full: false, print: (line) => lines.push(line) }).catch(
      (error: unknown) => {
        throw new Error(`${lines.join('\n')}\n${String(error)}`, { cause: error })
      },
    )
    expect(attacks).to.be.above(1_000)
    expect(Object.keys(outcomes).sort()).to.deep.equal([...callNames].sort())
  })
})
