import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { DatabaseDriver } from './driver.js'

/** Makes a database driver. */
export function defineDatabaseDriver(definition: ContributionDefinition<DatabaseDriver>): DatabaseDriver {
  return Object.freeze({ ...definition, specVersion: 1 })
}
