import 'reflect-metadata'

export {
  type EngineCall,
  interceptEngine,
  isRunning,
  memoryOf,
  openPoliciesUnderTest,
  type PoliciesUnderTest,
  policyProcessesOf,
  untilEnded,
} from '@agent-service/kernel-accounts/policy/testing'
export { createSystemClock } from '@agent-service/kernel-core/clock'
export { createControlledClock } from '@agent-service/kernel-core/clock/testing'
export { type KernelDatabase, type OpenDatabaseOptions, openDatabase } from '@agent-service/kernel-core/database'
export {
  collectOpened,
  type Opened,
  openTestClient,
  startTestServer,
  type TestClientOptions,
  type TestServer,
  testCertificate,
  testKey,
} from '@agent-service/kernel-services/http-client/testing'
export { backUpDatabase, makeBackup, readArchive, restoreBackup, restoreDatabase, verifyBackup } from '../backups/index.js'
export { entriesOfArchive, type ForgedEntry, type Forgery, forgeArchive } from '../backups/testing/forged-archive.js'
export * from './create-test-kernel.js'
export * from './open-test-editor.js'
export * from './run-command-line.js'
export * from './test-configurations.js'
