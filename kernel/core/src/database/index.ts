export * from './errors.js'
export type { MigrationStep } from './migrations/plan-migrations.js'
export type { KernelDatabase } from './open/kernel-database.js'
export { type OpenDatabaseOptions, openDatabase } from './open/open-database.js'
