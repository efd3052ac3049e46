import { isDeepStrictEqual } from 'node:util'
import { tools } from '@agent-service/sdk/contracts/tool'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { Prompts } from '../prompts/create-prompts.js'
import { type Agent, definitionOf } from '../store/agents/agent.js'
import { agentWarnings } from './agent-warnings.js'
import type { SharedAgents } from './shared-agents.js'

/** Agents as clients see them. */
export interface AgentView {
  /** All of the agent but the owner, with what is to be said of it at this moment. In the order given. */
  present(agents: readonly Agent[]): Promise<readonly PresentedAgent[]>
}

export type PresentedAgent = Omit<Agent, 'user_id' | 'shared'> & {
  readonly shared: { readonly handle: string; readonly update_available: boolean } | null
  readonly warnings: readonly { readonly path: string; readonly message: string }[]
}

export function createAgentView(dependencies: {
  readonly contributions: Pick<Contributions, 'list'>
  readonly inference: Pick<Inference, 'groups'>
  readonly prompts: Pick<Prompts, 'sections'>
  readonly sharedAgents: Pick<SharedAgents, 'find'>
}): AgentView {
  const { contributions, inference, prompts, sharedAgents } = dependencies

  const sharedOf = async (agent: Agent): Promise<PresentedAgent['shared']> => {
    const shared = agent.shared && (await sharedAgents.find(agent.shared.handle))
    if (!agent.shared || !shared) return null
    const differs = !isDeepStrictEqual(definitionOf(agent), { ...shared.definition, handle: agent.handle })
    return { handle: agent.shared.handle, update_available: differs && shared.digest !== agent.shared.digest }
  }

  return {
    async present(agents) {
      const surroundings = {
        tools: new Set(contributions.list(tools).map(({ key }) => key)),
        groups: inference.groups(),
        sections: (await prompts.sections()).map(({ name }) => name),
      }
      return Promise.all(
        agents.map(async (agent) => {
          const { user_id: _, shared: __, ...rest } = agent
          const warnings = agentWarnings(agent, surroundings).map(({ path, message }) => ({ path, message }))
          return { ...rest, shared: await sharedOf(agent), warnings }
        }),
      )
    },
  }
}
