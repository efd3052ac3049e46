import { type SandboxRequest, sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import { describeSandboxDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { closeTestDrivers, createTestDriver, withoutBubblewrap } from './test-support/create-test-driver.js'

describeSandboxDriver({
  name: 'linux where nothing confines',
  create: () => createTestDriver({ examined: (machine) => ({ ...withoutBubblewrap(machine), landlock: 0 }) }).driver,
  dispose: closeTestDrivers,
})

const request = (change: Partial<SandboxRequest>): SandboxRequest => ({
  ...{ id: 'one', principal: 'one', command: ['/bin/true'], directory: '/', environment: {}, limits: {}, confined: true },
  files: { read: [], write: [], deny: [] },
  network: { access: 'off', destinations: [], forward: [], expose: [] },
  ...change,
})

describe('the Linux driver without a helper', () => {
  afterEach(closeTestDrivers)

  it('runs nothing, and says in its health what to install', async () => {
    const missing = 'there is no C compiler, and /usr/bin/python3 is missing too'
    const { driver } = createTestDriver({ helper: () => Promise.resolve({ missing }) })
    const { signal } = new AbortController()
    const { confines, fences } = await driver.health({ signal })
    expect([confines, fences.files.state, fences.network.state]).to.deep.equal([false, 'open', 'open'])
    for (const fence of [fences.files, fences.processes, fences.network]) expect(fence.reason).to.contain(missing)
    for (const confined of [true, false]) {
      let error: unknown
      try {
        for await (const _ of driver.run(request({ confined }), { signal })) expect.fail('it ran')
      } catch (caught) {
        error = caught
      }
      expect(sandboxUnavailableError.isInstance(error)).to.equal(true)
    }
  })
})
