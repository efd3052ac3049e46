import { type AgentChoice, createAgentChoice } from '../agents/agent-choice.js'
import { type AgentView, createAgentView } from '../agents/agent-view.js'
import { createSharedAgents, type SharedAgents } from '../agents/shared-agents.js'
import { createHeavyWork, type HeavyWork } from '../common/heavy-work.js'
import { type ChatParts, createChatParts } from '../points/parts/chat-parts.js'
import { type AgentTools, createAgentTools } from '../points/sources/agent-tools.js'
import { createPrompts, type Prompts } from '../prompts/create-prompts.js'
import type { UsedServices } from './use-services.js'

/** The parts that know the users' agents and their prompts. */
export interface AgentParts {
  readonly sharedAgents: SharedAgents
  readonly agentChoice: AgentChoice
  readonly agentView: AgentView
  readonly prompts: Prompts
  readonly agentTools: AgentTools
  readonly chatParts: ChatParts
  readonly heavyWork: HeavyWork
}

export function createAgentParts(services: UsedServices): AgentParts {
  const { database, resources, contributions, inference, quotas, clock, log } = services
  const sharedAgents = createSharedAgents({ database, resources, clock, log })
  const prompts = createPrompts({ resources, log })
  const agentTools = createAgentTools({ contributions, clock, log })
  return {
    agentTools,
    heavyWork: createHeavyWork(quotas),
    chatParts: createChatParts({ contributions, log }),
    sharedAgents,
    prompts,
    agentChoice: createAgentChoice({ database, sharedAgents }),
    agentView: createAgentView({ agentTools, inference, prompts, sharedAgents }),
  }
}
