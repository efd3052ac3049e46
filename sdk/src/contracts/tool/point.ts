import { defineContributionPoint } from '../../core/contribution-point.js'
import type { Tool } from './tool.js'

/** What agents can call. */
export const tools = defineContributionPoint<Tool>()({
  id: 'tool',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (tool) => tool.name,
})
