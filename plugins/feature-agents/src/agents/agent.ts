import { Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

/** An agent as it is stored and shown. */
export type Agent = {
  readonly id: string
  readonly user_id: string
  /** Unique among the user's agents: what `agent/<handle>` means. */
  readonly handle: string
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model_group: string
  /** Names of the tools that it may call. */
  readonly tools: readonly string[]
  readonly skills: readonly string[]
  readonly memory: { readonly enabled: boolean }
  readonly sandbox: { readonly network: boolean }
  /** By tool: when a person is asked first. */
  readonly approval: { readonly [tool: string]: 'never' | 'first_time' | 'always' }
  readonly enabled: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const agentCollection = defineCollection<Agent>()({
  name: 'agents.agents',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'created_at', 'id'] },
    by_handle: { fields: ['user_id', 'handle'], unique: true },
  },
})

/** That a user has been given the shared agents, so that those who were deleted do not come back. The id is the user's. */
export type AgentSeeding = {
  readonly id: string
  readonly user_id: string
  readonly seeded_at: string
  readonly handles: readonly string[]
}

export const agentSeedingCollection = defineCollection<AgentSeeding>()({
  name: 'agents.seedings',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id'] } },
})

const handle = Type.String({
  pattern: '^[a-z][a-z0-9_-]{1,31}$',
  description: '2 to 32 characters: a letter, then lower-case letters, digits, _ or -.',
})
const name = Type.String({ minLength: 1, maxLength: 100 })
const description = Type.String({ maxLength: 1_000 })
const instructions = Type.String({ maxLength: 100_000 })
const modelGroup = Type.String({ minLength: 1, maxLength: 100 })
const toolNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 })
const skills = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200 })
const memory = Type.Object({ enabled: Type.Boolean() })
const sandbox = Type.Object({ network: Type.Boolean() })
const approval = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Type.Literal('never'), Type.Literal('first_time'), Type.Literal('always')]),
)

/** What has a default, or stays as it is. */
const optionalMembers = {
  description: Type.Optional(description),
  instructions: Type.Optional(instructions),
  model_group: Type.Optional(modelGroup),
  tools: Type.Optional(toolNames),
  skills: Type.Optional(skills),
  memory: Type.Optional(memory),
  sandbox: Type.Optional(sandbox),
  approval: Type.Optional(approval),
  enabled: Type.Optional(Type.Boolean()),
}

/** The members of an agent that a person sets. */
export const agentInputSchema = Type.Object({ handle, name, ...optionalMembers })

/** A change of an agent: what is absent stays as it is. */
export const agentPatchSchema = Type.Object({ handle: Type.Optional(handle), name: Type.Optional(name), ...optionalMembers })

/** An agent in an answer. */
export const agentSchema = Type.Object({
  id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  description: Type.String(),
  instructions: Type.String(),
  model_group: Type.String(),
  tools: Type.Array(Type.String()),
  skills: Type.Array(Type.String()),
  memory,
  sandbox,
  approval,
  enabled: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

/** What a client sees of an agent: all of it but the owner. */
export function presentAgent(agent: Agent): Omit<Agent, 'user_id'> {
  const { user_id: _, ...rest } = agent
  return rest
}
