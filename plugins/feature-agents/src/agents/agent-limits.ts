import type { Problem } from '@agent-service/sdk'
import type { InferenceLimits } from '@agent-service/sdk/services/inference'
import type { AgentLimits } from '../store/agents/agent.js'

/** Problems with limits that a person sets, by JSON pointer: none may exceed the service's own. */
export function limitProblems(limits: AgentLimits | undefined, service: Pick<InferenceLimits, 'max_tool_turns'>): readonly Problem[] {
  const turns = limits?.max_tool_turns
  if (turns === undefined || turns <= service.max_tool_turns) return []
  return [
    { path: '/limits/max_tool_turns', message: `must be at most ${service.max_tool_turns}, the service's own (inference.max_tool_turns)` },
  ]
}
