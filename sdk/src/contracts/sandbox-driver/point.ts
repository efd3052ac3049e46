import { defineContributionPoint } from '../../core/contribution-point.js'
import type { SandboxDriver } from './sandbox-driver.js'

/**
 * What confines the processes of agents. The one driver for the machine's operating system fills
 * the slot; without one, no code of an agent runs.
 */
export const sandboxDrivers = defineContributionPoint<SandboxDriver>()({
  id: 'sandbox.driver',
  cardinality: 'slot',
  specVersions: [1],
  keyOf: (driver) => driver.id,
})
