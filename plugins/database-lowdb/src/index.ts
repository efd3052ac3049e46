import { definePlugin } from '@agent-service/sdk'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { createLowdbDriver } from './lowdb-driver.js'

export { createLowdbDriver, type LowdbDriverOptions } from './lowdb-driver.js'

export default definePlugin({
  manifest: {
    id: 'database-lowdb',
    apiVersion: 1,
    description: 'A database of plain JSON files that a person can read, for small deployments.',
    contributes: ['database.driver'],
    permissions: [{ kind: 'files', reason: 'Keeps the database in the folder of database.path.' }],
  },
  setup(context) {
    context.contribute(databaseDrivers, createLowdbDriver())
  },
})
