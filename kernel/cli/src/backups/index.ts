export { backUpDatabase } from './back-up.js'
export { removePartialBackups, removeRestoreLeftovers } from './leftovers.js'
export { restoreDatabase } from './restore-database.js'
