import { describeDatabaseDriver } from '@agent-service/sdk/testing'
import { createSqliteDriver } from './sqlite-driver.js'

describeDatabaseDriver({
  name: 'sqlite',
  create: () => createSqliteDriver(),
  supports: { embedded: true, hotBackup: true, textSearch: true },
})
