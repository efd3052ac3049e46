import { defineContributionPoint } from '../../core/contribution-point.js'
import type { AgentRunHook } from './run-hook.js'

/** Hooks for model calls, tool calls and the ends of runs; they may veto. */
export const agentRunHooks = defineContributionPoint<AgentRunHook>()({
  id: 'agent.run-hook',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (hook) => hook.id,
})
