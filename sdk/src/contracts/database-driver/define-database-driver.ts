import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { DatabaseDriver } from './driver.js'

/**
 * Makes a database driver.
 *
 * @example
 * const memory = createMemoryDatabaseDriver()
 * defineDatabaseDriver({
 *   id: 'forgetful',
 *   supports: memory.supports,
 *   open: (options) => memory.open(options),
 * })
 */
export function defineDatabaseDriver(definition: ContributionDefinition<DatabaseDriver>): DatabaseDriver {
  return Object.freeze({ ...definition, specVersion: 1 })
}
