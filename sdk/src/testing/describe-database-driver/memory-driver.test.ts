import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { describeDatabaseDriver } from './describe-database-driver.js'

describeDatabaseDriver({
  name: 'memory',
  create: createMemoryDatabaseDriver,
  supports: { embedded: true, hotBackup: true, textSearch: true },
})
