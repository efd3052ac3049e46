import type { AgentTools } from '../points/sources/agent-tools.js'
import { hasTool, isOffered } from '../points/sources/named-tools.js'
import type { ToolAccess } from '../runs/approvals/tool-access.js'
import type { RunAgent } from '../runs/session/restrict-agent.js'
import type { Agent } from '../store/agents/agent.js'

/** Tells whether files can be given to an agent. */
export interface OfferedWorkspaces {
  /**
   * The workspace of an agent that has, by its list, its plugins and the policies, a tool that reads
   * it; `undefined` for any other.
   */
  of(agent: Agent | RunAgent, signal?: AbortSignal): Promise<string | undefined>
}

export function createOfferedWorkspaces(dependencies: {
  readonly agentTools: Pick<AgentTools, 'list'>
  readonly access: Pick<ToolAccess, 'permitted'>
}): OfferedWorkspaces {
  const { agentTools, access } = dependencies
  return {
    async of(agent, signal) {
      const names = agentTools
        .list(agent)
        .filter(({ key, value }) => value.readsWorkspace === true && hasTool(agent, key) && isOffered(value, agent))
        .map(({ key }) => key)
      if (names.length === 0) return undefined
      return (await access.permitted(agent, names, signal ? { signal } : {})).length > 0 ? agent.workspace : undefined
    },
  }
}
