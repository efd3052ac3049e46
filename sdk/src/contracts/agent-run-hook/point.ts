import { defineContributionPoint } from '../../core/contribution-point.js'
import type { AgentRunHook } from './run-hook.js'

/** What looks at model calls, tool calls and the ends of runs, and may veto them. */
export const agentRunHooks = defineContributionPoint<AgentRunHook>()({
  id: 'agent.run-hook',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (hook) => hook.id,
})
