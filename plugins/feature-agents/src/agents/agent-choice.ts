import type { Database } from '@agent-service/sdk/services/database'
import { noAgentError } from '../common/errors.js'
import { ownDocument } from '../common/own-document.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import type { SharedAgents } from './shared-agents.js'

/** Finds the agent that a chat is with. */
export interface AgentChoice {
  /** The agent with this id, or the user's first enabled one. @throws `not_found`, `no_agent`. */
  byId(userId: string, agentId: string | undefined): Promise<Agent>
  /** The agent with this handle, or the user's first enabled one. @throws `no_agent`. */
  byHandle(userId: string, handle: string | null): Promise<Agent>
}

export function createAgentChoice(dependencies: { readonly database: Database; readonly sharedAgents: SharedAgents }): AgentChoice {
  const { database, sharedAgents } = dependencies
  const agents = database.collection(agentCollection)
  const firstOf = async (userId: string): Promise<Agent> => {
    const page = await agents.query({ index: 'by_user', equals: [userId], limit: 200 })
    const first = page.items.find((agent) => agent.enabled)
    if (!first) throw noAgentError.create({})
    return first
  }
  return {
    async byId(userId, agentId) {
      await sharedAgents.ensure(userId)
      if (agentId === undefined) return firstOf(userId)
      return ownDocument('agent', await agents.get(agentId), userId)
    },
    async byHandle(userId, handle) {
      await sharedAgents.ensure(userId)
      return (handle === null ? undefined : await agents.find('by_handle', [userId, handle])) ?? firstOf(userId)
    },
  }
}
