import type { DatabaseConnection, DatabaseDriver } from '../../contracts/database-driver/index.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'

/** A rule, a driver that breaks only this rule, and the tests of the suite that report it. */
export interface BrokenDriver {
  readonly rule: string
  readonly create: () => DatabaseDriver
  readonly fails: readonly string[]
}

/** The correct driver with some members of each connection replaced. */
export function breakDriver(change: (connection: DatabaseConnection) => Partial<DatabaseConnection>): () => DatabaseDriver {
  return () => {
    const driver = createMemoryDatabaseDriver()
    return {
      ...driver,
      async open(options) {
        const connection = await driver.open(options)
        return { ...connection, ...change(connection) }
      },
    }
  }
}
