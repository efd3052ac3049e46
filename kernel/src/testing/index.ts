export { createControlledClock, createSystemClock } from '../clock/index.js'
export { type KernelDatabase, type OpenDatabaseOptions, openDatabase, restoreDatabase } from '../database/index.js'
export * from './create-test-kernel.js'
