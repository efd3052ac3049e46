import { defineContributionPoint } from '../../core/contribution-point.js'
import type { PolicyEngine } from './policy-engine.js'

/**
 * What decides by policies. Its plugin starts before the others. The only engine of a deployment
 * fills the slot; with none or several, everything is denied.
 */
export const policyEngines = defineContributionPoint<PolicyEngine>()({
  id: 'policy.engine',
  cardinality: 'slot',
  specVersions: [1],
  keyOf: (engine) => engine.id,
})
