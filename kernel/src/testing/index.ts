export { createControlledClock, createSystemClock } from '../clock/index.js'
export * from './create-test-kernel.js'
export { type KernelDatabase, openDatabase, type OpenDatabaseOptions, restoreDatabase } from '../database/index.js'
