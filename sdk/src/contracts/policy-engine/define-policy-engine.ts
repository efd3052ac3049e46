import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { PolicyEngine } from './policy-engine.js'

/** Makes a policy engine. */
export function definePolicyEngine(definition: ContributionDefinition<PolicyEngine>): PolicyEngine {
  return Object.freeze<PolicyEngine>({ ...definition, specVersion: 1 })
}
