import type { DatabaseConnection, DatabaseDriver, DatabaseDriverSupport } from '../../../contracts/database-driver/index.js'
import type { JsonObject } from '../../../core/json.js'
import type { SuiteRunner } from '../../suite-runner.js'

/** What `describeDatabaseDriver` needs to know of a driver. */
export interface DatabaseDriverSuiteOptions {
  /** Stands in the titles. */
  readonly name: string
  /** Makes the driver. Called once for each test; every store of the test is opened through it. */
  readonly create: () => DatabaseDriver | Promise<DatabaseDriver>
  /** What the driver is expected to say of itself. Optional members must be there when it says so, and absent when it does not. */
  readonly supports: DatabaseDriverSupport
  /** The driver's settings. Default none. */
  readonly settings?: JsonObject
  /** For a driver of a server: the address of an empty store. Called once for each test. */
  readonly createUrl?: () => Promise<string>
  /**
   * Ends a connection as a crash would: no `close`, nothing finished that was not finished. The suite then opens the store again. Leave it
   * out where the process would have to die for it; the suite then closes instead, and the driver's own tests show the crash.
   */
  readonly kill?: (connection: DatabaseConnection) => Promise<void>
  /** Default: the functions that mocha, Vitest or Jest put on the global object. */
  readonly runner?: SuiteRunner
}
