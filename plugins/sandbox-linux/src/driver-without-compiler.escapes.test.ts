import { describeSandboxDriver } from '@agent-service/sdk/testing'
import { closeTestDrivers, createTestDriver, withoutBubblewrap, withoutCompiler, withoutGroups } from './test-support/create-test-driver.js'

describeSandboxDriver({
  name: 'linux by bubblewrap, without a compiler and control groups',
  create: () => createTestDriver({ helper: withoutCompiler, examined: withoutGroups }).driver,
  dispose: closeTestDrivers,
})
describeSandboxDriver({
  name: 'linux by Landlock, without a compiler and control groups',
  create: () => createTestDriver({ helper: withoutCompiler, examined: (machine) => withoutGroups(withoutBubblewrap(machine)) }).driver,
  dispose: closeTestDrivers,
})
