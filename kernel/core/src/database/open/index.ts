export { databaseToken, type KernelDatabase, ownDatabaseToken } from './kernel-database.js'
