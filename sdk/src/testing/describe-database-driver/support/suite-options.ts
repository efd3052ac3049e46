import type { DatabaseConnection, DatabaseDriver, DatabaseDriverSupport } from '../../../contracts/database-driver/index.js'
import type { JsonObject } from '../../../core/json.js'
import type { SuiteRunner } from '../../suite-runner.js'

/** The options of `describeDatabaseDriver`. */
export interface DatabaseDriverSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the driver. Called once for each test; every store of the test is opened through it. */
  readonly create: () => DatabaseDriver | Promise<DatabaseDriver>
  /**
   * The expected declaration of the driver. Optional members must exist if it declares them, and be
   * absent otherwise.
   */
  readonly supports: DatabaseDriverSupport
  /** The driver's settings. Default none. */
  readonly settings?: JsonObject
  /** For a driver of a server: the address of an empty store. Called once for each test. */
  readonly createUrl?: () => Promise<string>
  /**
   * Ends a connection as a crash would: without `close`, and without finishing any work. The suite
   * then opens the store again. Leave it out if the process would have to die for it; the suite
   * then closes instead, and the driver's own tests show the crash.
   */
  readonly kill?: (connection: DatabaseConnection) => Promise<void>
  /** Default: the global functions of mocha, Vitest or Jest. */
  readonly runner?: SuiteRunner
}
