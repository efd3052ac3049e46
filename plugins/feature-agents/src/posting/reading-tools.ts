import type { AgentTools } from '../points/sources/agent-tools.js'
import { hasTool } from '../points/sources/named-tools.js'
import type { Agent } from '../store/agents/agent.js'

/** The tools of an agent that change nothing and ask nobody, by their names. One that does not state its effect changes something. */
export function createReadingTools({
  agentTools,
}: {
  readonly agentTools: Pick<AgentTools, 'refresh' | 'list'>
}): (agent: Agent) => Promise<readonly string[]> {
  return async (agent) => {
    await agentTools.refresh(agent)
    return agentTools
      .list(agent)
      .filter(({ key, value }) => value.effect === 'read' && value.asks === undefined && hasTool(agent, key))
      .map(({ key }) => key)
  }
}
