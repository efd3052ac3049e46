import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { AgentDefinition } from './agent.js'
import { agentDefinitionSchema } from './agent-schema.js'

/** How many versions of an agent are kept, besides its first. */
export const maxVersions = 100

/** The author of a version: a person, a program with their token, or the service itself. */
export type VersionAuthor = {
  readonly kind: 'person' | 'token' | 'service'
  /** Of the user or the token; null for the service. */
  readonly id: string | null
}

/** `shared`: created from a shared agent. `adopted`: the shared agent was adopted again. */
export type VersionCause = 'created' | 'shared' | 'changed' | 'restored' | 'adopted'

/** One state of an agent. Written once. */
export type AgentVersion = {
  /** `<agent>/<number>`. */
  readonly id: string
  readonly agent_id: string
  readonly user_id: string
  /** From 1. Gaps are versions that are no longer kept. */
  readonly number: number
  readonly created_at: string
  readonly by: VersionAuthor
  readonly cause: VersionCause
  /** The version that was restored, for that cause. */
  readonly restored_from: number | null
  /** The members that differ from the previous version; empty for the first. */
  readonly changed: readonly string[]
  readonly definition: AgentDefinition
}

export const agentVersionCollection = defineCollection<AgentVersion>()({
  name: 'agents.agent_versions',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_agent: { fields: ['agent_id', 'number'], unique: true },
    by_user: { fields: ['user_id', 'id'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Definitions say whether a model makes the titles of chats.',
      migrate: (version) => ({ ...version, definition: { ...(version['definition'] as JsonObject), titles: { enabled: true } } }),
    },
  ],
})

export const versionId = (agentId: string, number: number): string => `${agentId}/${number}`

/** The author of a request's version. */
export const authorOf = (principal: Principal): VersionAuthor =>
  principal.tokenId === undefined ? { kind: 'person', id: principal.userId } : { kind: 'token', id: principal.tokenId }

const listedMembers = {
  agent_id: Type.String(),
  number: Type.Integer(),
  current: Type.Boolean({ description: 'The agent is at this version.' }),
  created_at: Type.String(),
  by: namedObject('AgentAuthor', {
    kind: Type.Union([Type.Literal('person'), Type.Literal('token'), Type.Literal('service')]),
    id: Type.Union([Type.String(), Type.Null()]),
  }),
  cause: Type.Union([
    Type.Literal('created'),
    Type.Literal('shared'),
    Type.Literal('changed'),
    Type.Literal('restored'),
    Type.Literal('adopted'),
  ]),
  restored_from: Type.Union([Type.Integer(), Type.Null()]),
  changed: Type.Array(Type.String(), { examples: [['instructions']], description: 'The members that differ from the previous version.' }),
}

/** A version in a list. */
export const listedVersionSchema = namedObject('ListedAgentVersion', listedMembers)

/** A version with its definition. */
export const agentVersionSchema = namedObject('AgentVersion', { ...listedMembers, definition: agentDefinitionSchema })

/** A version as a list shows it. */
export function presentListedVersion(version: AgentVersion, current: number) {
  const { agent_id, number, created_at, by, cause, restored_from, changed } = version
  return { agent_id, number, current: number === current, created_at, by, cause, restored_from, changed }
}

/** A version as a client sees it. */
export const presentVersion = (version: AgentVersion, current: number) => ({
  ...presentListedVersion(version, current),
  definition: version.definition,
})
