import type { Static } from '@agent-service/sdk'
import { v7 as uuidv7 } from 'uuid'
import type { Agent, agentInputSchema } from './agent.js'

/** An agent from what a person or a shared file says, with the defaults of the rest. */
export function newAgent(userId: string, input: Static<typeof agentInputSchema>, now: string): Agent {
  return {
    id: uuidv7(),
    user_id: userId,
    handle: input.handle,
    name: input.name,
    description: input.description ?? '',
    instructions: input.instructions ?? '',
    model_group: input.model_group ?? 'primary',
    tools: input.tools ?? ['get_time'],
    skills: input.skills ?? [],
    memory: input.memory ?? { enabled: true },
    sandbox: input.sandbox ?? { network: true },
    approval: input.approval ?? {},
    enabled: input.enabled ?? true,
    created_at: now,
    updated_at: now,
  }
}
