export { createGate, openTestDatabase, quietLog, rejection, wrapDriver } from './test-database.js'
