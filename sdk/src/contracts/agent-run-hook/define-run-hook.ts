import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { AgentRunHook } from './run-hook.js'

/** Makes a hook. */
export function defineRunHook(definition: ContributionDefinition<AgentRunHook>): AgentRunHook {
  return Object.freeze<AgentRunHook>({ ...definition, specVersion: 1 })
}
