export { createMemoryDatabase } from './memory-database.js'
