import { defineContributionPoint } from '../../core/contribution-point.js'
import type { DatabaseDriver } from './driver.js'

/** The slot for the store. `database.driver` of the configuration picks the driver by its id. */
export const databaseDrivers = defineContributionPoint<DatabaseDriver>()({
  id: 'database.driver',
  cardinality: 'slot',
  specVersions: [1],
  keyOf: (driver) => driver.id,
})
