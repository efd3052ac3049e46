import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Contributed } from '@agent-service/sdk/services/contributions'
import type { PolicyEntity, PolicyRequest, PolicyService } from '@agent-service/sdk/services/policy'
import type { Agent } from '../../store/agents/agent.js'

/** Asks the policies about agents and tools. */
export interface ToolPolicies {
  /** Whether an agent may make a call. `needsApproval`: a person is asked about this call. */
  allows(
    agent: Agent,
    tool: Contributed<Tool>,
    options: { readonly needsApproval: boolean; readonly signal: AbortSignal },
  ): Promise<boolean>
  /**
   * The keys of the tools that an agent may use, with or without an approval. `asksAlways`: only
   * with one.
   */
  usable(
    agent: Agent,
    candidates: readonly { readonly tool: Contributed<Tool>; readonly asksAlways: boolean }[],
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]>
}

export function createToolPolicies({ policies }: { readonly policies: PolicyService }): ToolPolicies {
  return {
    async allows(agent, tool, { needsApproval, signal }) {
      const request = { ...questionOf(agent, needsApproval), resource: resourceOf(tool) }
      return (await policies.isAuthorized(request, { signal })).allowed
    },

    async usable(agent, candidates, signal) {
      const ask = async (asked: readonly Contributed<Tool>[], needsApproval: boolean): Promise<readonly string[]> => {
        if (asked.length === 0) return []
        const decisions = await policies.allowedOf(questionOf(agent, needsApproval), asked.map(resourceOf), signal ? { signal } : {})
        return asked.filter((_, index) => decisions[index] === true).map(({ key }) => key)
      }
      const alone = await ask(
        candidates.filter(({ asksAlways }) => !asksAlways).map(({ tool }) => tool),
        false,
      )
      const rest = candidates.filter(({ tool }) => !alone.includes(tool.key)).map(({ tool }) => tool)
      return [...alone, ...(await ask(rest, true))]
    },
  }
}

const questionOf = (agent: Agent, needsApproval: boolean): Omit<PolicyRequest, 'resource'> => ({
  principal: agentEntity(agent),
  action: 'use_tool',
  context: { needs_approval: needsApproval },
})

/** An agent as a policy entity, including its owner's entity. */
export const agentEntity = ({ id, user_id, handle }: Pick<Agent, 'id' | 'user_id' | 'handle'>): PolicyEntity => ({
  type: 'Agent',
  id,
  attributes: { owner: { __entity: { type: 'User', id: user_id } }, handle },
  parents: [{ type: 'User', id: user_id }],
})

const resourceOf = ({ key, pluginId, value }: Contributed<Tool>): PolicyEntity => ({
  type: 'Tool',
  id: key,
  attributes: { name: key, effect: value.effect ?? 'unsafe' },
  parents: [{ type: 'Plugin', id: pluginId }],
})
