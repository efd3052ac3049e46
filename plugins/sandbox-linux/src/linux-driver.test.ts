import { describeSandboxDriver } from '@agent-service/sdk/testing'
import { closeTestDrivers, createTestDriver, withoutBubblewrap } from './test-support/create-test-driver.js'

describeSandboxDriver({ name: 'linux by bubblewrap', create: () => createTestDriver().driver, dispose: closeTestDrivers })
describeSandboxDriver({
  name: 'linux by Landlock',
  create: () => createTestDriver({ examined: withoutBubblewrap }).driver,
  dispose: closeTestDrivers,
})
