import { expect } from 'chai'
import { type SandboxUnderTest, startSandbox, textOf } from '../test-support/sandbox-under-test.js'

describe('processes of the sandbox', () => {
  let under: SandboxUnderTest

  beforeEach(async () => {
    under = await startSandbox()
  })
  afterEach(() => under.stop())

  it('run in the workspace, and their output and exit can be read while they run and afterwards', async () => {
    const process = await under.shell('pwd; echo problem >&2; exit 3')
    expect((await textOf(process)).split('\n').sort()).to.deep.equal(['', `${under.folder}/ada/workspaces/assistant`, 'problem'])
    expect(await process.exited).to.include({ reason: 'exit', code: 3 })
    expect(await textOf(process)).to.include('problem')
    expect(under.sandbox.list({ userId: 'user-1' }).map(({ id }) => id)).to.deep.equal([process.id])
    expect(under.sandbox.find('user-1', process.id)).to.equal(process)
    expect(under.sandbox.find('user-2', process.id)).to.equal(undefined)
  })
})
