export type { TestDatabase } from './test-database.js'
export { createGate, openTestDatabase, quietLog, rejection, wrapDriver } from './test-database.js'
