import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { PolicyEngine } from './policy-engine.js'

/**
 * Makes a policy engine.
 *
 * @example
 * const createLineEngine = (
 *   methods: Omit<PolicyEngine, 'specVersion' | 'id' | 'title' | 'fileEndings'>,
 * ) => definePolicyEngine({ id: 'lines', title: 'One rule a line', fileEndings: ['.line'], ...methods })
 */
export function definePolicyEngine(definition: ContributionDefinition<PolicyEngine>): PolicyEngine {
  return Object.freeze<PolicyEngine>({ ...definition, specVersion: 1 })
}
