export { type KernelDatabase, databaseToken, ownDatabaseToken } from './kernel-database.js'
