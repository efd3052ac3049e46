import { hasTool, readSkillName } from '../../points/sources/named-tools.js'
import type { Agent, AgentLimits } from '../../store/agents/agent.js'
import type { Run } from '../../store/runs/run.js'
import { maxSeconds } from './run-stopping.js'

/** An agent in a run, and what that run reports to, for the tools that ask. */
export type RunAgent = Agent & Pick<Run, 'reports_to'>

/**
 * An agent restricted to the tools and limits that a run was started with, to what guests may use, and
 * in a chat that no memory has, without one; no limit is above the agent's own.
 */
export function restrictAgent(agent: Agent, run: Pick<Run, 'terms' | 'guests' | 'reports_to' | 'without_memory'>): RunAgent {
  return { ...restricted(agent, run), reports_to: run.reports_to }
}

function restricted(agent: Agent, { terms, guests, without_memory }: Pick<Run, 'terms' | 'guests' | 'without_memory'>): Agent {
  const remembering = guests === null && !without_memory ? agent : { ...agent, memory: { ...agent.memory, enabled: false } }
  const own = guests === null ? remembering : withTools(remembering, guests.tools)
  return terms === null
    ? own
    : { ...(terms.tools === null ? own : withTools(own, terms.tools)), limits: { ...own.limits, ...lowered(own.limits, terms.limits) } }
}

function withTools(agent: Agent, tools: readonly string[]): Agent {
  return {
    ...agent,
    tools: tools.filter((name) => hasTool(agent, name)),
    // Skills are of no use to a run that cannot read them.
    skills: tools.includes(readSkillName) ? agent.skills : [],
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
