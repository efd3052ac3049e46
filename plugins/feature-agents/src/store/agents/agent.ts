import { defineCollection } from '@agent-service/sdk/services/database'

/** When a person is asked before a tool runs. */
export type ApprovalMode = 'never' | 'first_time' | 'always'

/** Limits of one agent's runs. The service's own applies if one is absent. */
export type AgentLimits = {
  /** Rounds of tool calls in a run; never more than `inference.max_tool_turns`. */
  readonly max_tool_turns?: number
  /**
   * How long a run may take without a pause, in seconds: up to a week instead of the service's four
   * hours.
   */
  readonly max_run_secs?: number
  /** Tokens of one answer of the model; never more than the model group's `max_tokens`. */
  readonly max_output_tokens?: number
}

/** The members of an agent that a person sets, and that a version keeps. */
export type AgentDefinition = {
  /** Unique among the user's agents: what `agent/<handle>` means. */
  readonly handle: string
  readonly name: string
  readonly description: string
  /** An emoji or a few letters; empty: none. */
  readonly avatar: string
  readonly instructions: string
  readonly model_group: string
  /** Names of the tools that it may call. */
  readonly tools: readonly string[]
  readonly skills: readonly string[]
  readonly memory: { readonly enabled: boolean }
  /** Whether a model makes the titles of its chats, if a group for titles is configured. */
  readonly titles: { readonly enabled: boolean }
  readonly sandbox: { readonly network: boolean }
  /** By tool, `*` for all tools not listed: when a person is asked first. */
  readonly approval: { readonly [tool: string]: ApprovalMode }
  readonly limits: AgentLimits
  /** By section of the shared prompt: the text that replaces it; null leaves the section out. */
  readonly prompts: { readonly [section: string]: string | null }
  readonly enabled: boolean
}

/** The shared agent that an agent was made from or has adopted. */
export type SharedOrigin = {
  readonly handle: string
  /** The digest of the shared file at that time. */
  readonly digest: string
}

/** An agent as it is stored. */
export type Agent = AgentDefinition & {
  readonly id: string
  readonly user_id: string
  /**
   * The name of the folder of its files below the user's `workspaces`. It never changes, and no
   * other agent of the user ever gets it.
   */
  readonly workspace: string
  /** The number of its current version, from 1. */
  readonly version: number
  readonly shared: SharedOrigin | null
  readonly created_at: string
  readonly updated_at: string
}

export const agentCollection = defineCollection<Agent>()({
  name: 'agents.agents',
  version: 3,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'created_at', 'id'] },
    by_handle: { fields: ['user_id', 'handle'], unique: true },
    by_workspace: { fields: ['user_id', 'workspace'], unique: true },
  },
  migrations: [
    {
      to: 2,
      description: 'Agents get versions, a folder for their files, limits and prompts of their own.',
      migrate: (agent) => ({
        ...agent,
        ...{ avatar: '', limits: {}, prompts: {}, version: 1, shared: null },
        // Handles are unique among a user's agents, and no agent had a folder before.
        workspace: agent['handle'] ?? '',
      }),
    },
    {
      to: 3,
      description: 'A person can have the titles of an agent’s chats made without a model.',
      migrate: (agent) => ({ ...agent, titles: { enabled: true } }),
    },
  ],
})

/**
 * Records that a user has got the shared agents, so that deleted ones do not come back. The id is
 * the user's.
 */
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

/** The members that a version keeps. */
export function definitionOf(agent: AgentDefinition): AgentDefinition {
  const { handle, name, description, avatar, instructions, model_group, tools, skills } = agent
  const { memory, titles, sandbox, approval, limits, prompts, enabled } = agent
  return {
    ...{ handle, name, description, avatar, instructions, model_group, tools, skills },
    ...{ memory, titles, sandbox, approval, limits, prompts, enabled },
  }
}
