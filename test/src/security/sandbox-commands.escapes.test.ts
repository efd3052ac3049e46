import { expect } from 'chai'
import { run } from '../campaigns/sandbox-commands.js'
import { seedOfRun } from '../support/random.js'

describe('commands of eight principals, sixteen at a time', function () {
  this.timeout(90_000)

  it('leave no process, descriptor, control group, file, network and memory behind, in each mode', async () => {
    const lines: string[] = []
    const { modes } = await run({ seed: seedOfRun(), seconds: 10, full: false, print: (line) => lines.push(line) }).catch(
      (error: unknown) => {
        throw new Error(`${lines.join('\n')}\n${String(error)}`, { cause: error })
      },
    )
    expect(Object.keys(modes)).to.deep.equal(['bubblewrap', 'Landlock'])
  })
})
