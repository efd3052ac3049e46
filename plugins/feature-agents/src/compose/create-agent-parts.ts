import { type AgentChoice, createAgentChoice } from '../agents/agent-choice.js'
import { type AgentView, createAgentView } from '../agents/agent-view.js'
import { createSharedAgents, type SharedAgents } from '../agents/shared-agents.js'
import { createPrompts, type Prompts } from '../prompts/create-prompts.js'
import type { UsedServices } from './use-services.js'

/** What knows the agents of the users, and what they are told. */
export interface AgentParts {
  readonly sharedAgents: SharedAgents
  readonly agentChoice: AgentChoice
  readonly agentView: AgentView
  readonly prompts: Prompts
}

export function createAgentParts(services: UsedServices): AgentParts {
  const { database, resources, contributions, inference, clock, log } = services
  const sharedAgents = createSharedAgents({ database, resources, clock, log })
  const prompts = createPrompts({ resources, log })
  return {
    sharedAgents,
    prompts,
    agentChoice: createAgentChoice({ database, sharedAgents }),
    agentView: createAgentView({ contributions, inference, prompts, sharedAgents }),
  }
}
