import { hasTool, readSkillName } from '../../points/sources/named-tools.js'
import type { Agent, AgentLimits } from '../../store/agents/agent.js'
import type { RunTerms } from '../../store/runs/run.js'
import { maxSeconds } from './run-stopping.js'

/**
 * An agent restricted to the tools and limits that a run was started with; no limit is above the
 * agent's own.
 */
export function restrictAgent(agent: Agent, terms: RunTerms | null): Agent {
  if (terms === null) return agent
  const { tools, limits } = terms
  return {
    ...agent,
    tools: tools === null ? agent.tools : tools.filter((name) => hasTool(agent, name)),
    // Skills are of no use to a run that cannot read them.
    skills: tools === null || tools.includes(readSkillName) ? agent.skills : [],
    limits: { ...agent.limits, ...lowered(agent.limits, limits) },
  }
}

function lowered(own: AgentLimits, asked: AgentLimits): AgentLimits {
  const { max_tool_turns, max_run_secs, max_output_tokens } = asked
  return {
    ...(max_tool_turns !== undefined && { max_tool_turns: Math.min(max_tool_turns, own.max_tool_turns ?? max_tool_turns) }),
    ...(max_run_secs !== undefined && { max_run_secs: Math.min(max_run_secs, own.max_run_secs ?? maxSeconds) }),
    ...(max_output_tokens !== undefined && { max_output_tokens: Math.min(max_output_tokens, own.max_output_tokens ?? max_output_tokens) }),
  }
}
