import { definePlugin } from '@agent-service/sdk'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { createSqliteDriver } from './sqlite-driver.js'

export { createSqliteDriver, type SqliteDriverOptions } from './sqlite-driver.js'

export default definePlugin({
  manifest: {
    id: 'database-sqlite',
    apiVersion: 1,
    description: 'The embedded default database: one SQLite file with durable group commits.',
    contributes: ['database.driver'],
    permissions: [
      { kind: 'files', reason: 'Keeps the database in the folder of database.path.' },
      { kind: 'process', reason: 'Makes backups in a separate process, which can be ended at any moment.' },
    ],
  },
  setup(context) {
    context.contribute(databaseDrivers, createSqliteDriver())
  },
})
