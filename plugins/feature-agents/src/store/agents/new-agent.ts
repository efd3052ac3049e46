import type { Static } from '@agent-service/sdk'
import { v7 as uuidv7 } from 'uuid'
import type { Agent, AgentDefinition, SharedOrigin } from './agent.js'
import type { agentInputSchema } from './agent-schema.js'

/** The definition from a person or a shared file, completed with defaults. */
export function completeDefinition(input: Static<typeof agentInputSchema>): AgentDefinition {
  return {
    handle: input.handle,
    name: input.name,
    description: input.description ?? '',
    avatar: input.avatar ?? '',
    instructions: input.instructions ?? '',
    model_group: input.model_group ?? 'primary',
    tools: input.tools ?? ['get_time'],
    skills: input.skills ?? [],
    memory: input.memory ?? { enabled: true },
    titles: input.titles ?? { enabled: true },
    sandbox: input.sandbox ?? { network: true },
    approval: input.approval ?? {},
    limits: input.limits ?? {},
    prompts: input.prompts ?? {},
    enabled: input.enabled ?? true,
  }
}

/** An agent at its first version. */
export function newAgent(
  definition: AgentDefinition,
  place: { readonly userId: string; readonly workspace: string; readonly shared: SharedOrigin | null; readonly now: string },
): Agent {
  return {
    id: uuidv7(),
    user_id: place.userId,
    ...definition,
    workspace: place.workspace,
    version: 1,
    shared: place.shared,
    created_at: place.now,
    updated_at: place.now,
  }
}

/**
 * Stands in for a deleted agent, so that its runs can be ended in order. It has no tools and no
 * instructions.
 */
export function absentAgent(place: {
  readonly id: string
  readonly user_id: string
  readonly model_group: string
  readonly created_at: string
}): Agent {
  const nothing = completeDefinition({ handle: '', name: '', model_group: place.model_group, tools: [], enabled: false })
  return {
    id: place.id,
    user_id: place.user_id,
    ...nothing,
    memory: { enabled: false },
    titles: { enabled: false },
    sandbox: { network: false },
    workspace: '',
    version: 1,
    shared: null,
    created_at: place.created_at,
    updated_at: place.created_at,
  }
}
