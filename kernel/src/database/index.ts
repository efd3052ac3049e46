export * from './errors.js'
export type * from './kernel-database.js'
export * from './open-database.js'
export { restoreDatabase } from './restore-database.js'
