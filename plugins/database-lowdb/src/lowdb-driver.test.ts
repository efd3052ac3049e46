import { describeDatabaseDriver } from '@agent-service/sdk/testing'
import { createLowdbDriver } from './lowdb-driver.js'

describeDatabaseDriver({
  name: 'lowdb',
  create: () => createLowdbDriver(),
  supports: { embedded: true, hotBackup: true, textSearch: true, maximumDocuments: 1000 },
})
