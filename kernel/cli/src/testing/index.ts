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
export { createControlledClock, createSystemClock } from '@agent-service/kernel-core/clock'
export { type KernelDatabase, type OpenDatabaseOptions, openDatabase, restoreDatabase } from '@agent-service/kernel-core/database'
export * from './create-test-kernel.js'
export * from './open-test-editor.js'
export * from './run-command-line.js'
export * from './test-configurations.js'
