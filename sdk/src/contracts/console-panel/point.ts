import { defineContributionPoint } from '../../core/contribution-point.js'
import type { ConsolePanel } from './console-panel.js'
import { claimedPages } from './page-routes.js'

/** Pages and settings forms of the web console. */
export const consolePanels = defineContributionPoint<ConsolePanel>()({
  id: 'console.panel',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (panel) => panel.id,
  claimsOf: claimedPages,
})
