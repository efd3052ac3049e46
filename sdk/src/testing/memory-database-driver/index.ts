export { createMemoryDatabaseDriver } from './memory-database-driver.js'
