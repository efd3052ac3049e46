import { isDeepStrictEqual } from 'node:util'
import { signalWithin } from '@agent-service/sdk/async'
import type { Inference } from '@agent-service/sdk/services/inference'
import type { AgentTools } from '../points/sources/agent-tools.js'
import type { Prompts } from '../prompts/create-prompts.js'
import { type Agent, definitionOf } from '../store/agents/agent.js'
import { agentWarnings } from './agent-warnings.js'
import type { SharedAgent, SharedAgents } from './shared-agents.js'

/** How long a view of agents waits for their tool sources, in milliseconds. */
const sourcesTimeoutMs = 1_000

/** Agents as clients see them. */
export interface AgentView {
  /** The agents without their owner, with their current warnings, in the order given. */
  present(agents: readonly Agent[]): Promise<readonly PresentedAgent[]>
}

export type PresentedAgent = Omit<Agent, 'user_id' | 'shared'> & {
  readonly shared: { readonly handle: string; readonly update_available: boolean } | null
  readonly warnings: readonly { readonly path: string; readonly message: string }[]
}

export function createAgentView(dependencies: {
  readonly agentTools: Pick<AgentTools, 'refresh' | 'list' | 'warnings'>
  readonly inference: Pick<Inference, 'groups'>
  readonly prompts: Pick<Prompts, 'sections'>
  readonly sharedAgents: Pick<SharedAgents, 'find'>
}): AgentView {
  const { agentTools, inference, prompts, sharedAgents } = dependencies

  const shippedAs = async ({ shared }: Agent): Promise<SharedAgent | undefined> =>
    shared === null ? undefined : sharedAgents.find(shared.handle)

  const sharedOf = (agent: Agent, shared: SharedAgent | undefined): PresentedAgent['shared'] => {
    if (!agent.shared || !shared) return null
    const differs = !isDeepStrictEqual(definitionOf(agent), { ...shared.definition, handle: agent.handle })
    return { handle: agent.shared.handle, update_available: differs && shared.digest !== agent.shared.digest }
  }

  /** Waits only briefly for tool sources: the view shows what is known by then. */
  const refreshTools = async (agent: Agent): Promise<void> => {
    const signal = signalWithin(sourcesTimeoutMs)
    await agentTools.refresh(agent, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  return {
    async present(agents) {
      const surroundings = {
        groups: inference.groups(),
        sections: (await prompts.sections()).map(({ name }) => name),
      }
      return Promise.all(
        agents.map(async (agent) => {
          const { user_id: _, shared: __, ...rest } = agent
          await refreshTools(agent)
          const tools = new Set(agentTools.list(agent).map(({ key }) => key))
          const shipped = await shippedAs(agent)
          const shippedTools = new Set(shipped?.definition.tools)
          const found = [...agentWarnings(agent, { ...surroundings, tools, shippedTools }), ...agentTools.warnings(agent)]
          const warnings = found.map(({ path, message }) => ({ path, message }))
          return { ...rest, shared: sharedOf(agent, shipped), warnings }
        }),
      )
    },
  }
}
