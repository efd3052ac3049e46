import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '@agent-service/sdk/services/database'
import { type Agent, type AgentDefinition, agentCollection, definitionOf, type SharedOrigin } from './agent.js'
import {
  type AgentVersion,
  agentVersionCollection,
  maxVersions,
  type VersionAuthor,
  type VersionCause,
  versionId,
} from './agent-version.js'
import { freeWorkspace, keepWorkspaceName } from './former-workspace.js'
import { newAgent } from './new-agent.js'

/** Who changes an agent, how and when. */
export interface AgentChange {
  readonly by: VersionAuthor
  readonly cause: VersionCause
  /** For the cause `restored`. */
  readonly restoredFrom?: number
  /** The shared agent of its origin from now on. Default: unchanged. */
  readonly shared?: SharedOrigin
  /** RFC 3339. */
  readonly now: string
}

/**
 * Stores a new agent with a folder name of its own and its first version. If the handle is taken,
 * the commit fails with `unique_violation`.
 */
export async function insertAgent(
  transaction: Transaction,
  userId: string,
  definition: AgentDefinition,
  change: AgentChange,
): Promise<Agent> {
  const workspace = await freeWorkspace(transaction, userId, definition.handle)
  const agent = newAgent(definition, { userId, workspace, shared: change.shared ?? null, now: change.now })
  transaction.insert(agentCollection, agent)
  transaction.insert(agentVersionCollection, versionOf(agent, change, []))
  return agent
}

/**
 * Stores a change and its new version. If nothing differs, nothing is written and no version is
 * created.
 */
export async function changeAgent(
  transaction: Transaction,
  current: Agent,
  definition: AgentDefinition,
  change: AgentChange,
): Promise<Agent> {
  const shared = change.shared ?? current.shared
  const changed = differingMembers(definitionOf(current), definition)
  if (changed.length === 0 && isDeepStrictEqual(shared, current.shared)) return current
  if (changed.length === 0) {
    const adopted: Agent = { ...current, shared, updated_at: change.now }
    transaction.put(agentCollection, adopted)
    return adopted
  }
  await keepCurrentVersion(transaction, current)
  const agent: Agent = { ...current, ...definition, shared, version: current.version + 1, updated_at: change.now }
  transaction.put(agentCollection, agent)
  transaction.insert(agentVersionCollection, versionOf(agent, change, changed))
  const outdated = agent.version - maxVersions
  if (outdated > 1) transaction.delete(agentVersionCollection, versionId(agent.id, outdated))
  return agent
}

/** Deletes an agent with its versions. The name of its folder is never used again. */
export async function removeAgent(transaction: Transaction, agent: Agent): Promise<void> {
  await keepWorkspaceName(transaction, agent.user_id, agent.workspace)
  transaction.delete(agentCollection, agent.id)
  transaction.delete(agentVersionCollection, versionId(agent.id, 1))
  for (let number = Math.max(2, agent.version - maxVersions + 1); number <= agent.version; number += 1)
    transaction.delete(agentVersionCollection, versionId(agent.id, number))
}

/** Stores the current version of an agent from a release without versions. */
export async function keepCurrentVersion(transaction: Transaction, agent: Agent): Promise<void> {
  if (await transaction.get(agentVersionCollection, versionId(agent.id, agent.version))) return
  const by: VersionAuthor = { kind: 'service', id: null }
  transaction.insert(agentVersionCollection, versionOf(agent, { by, cause: 'created', now: agent.updated_at }, []))
}

function versionOf(agent: Agent, change: AgentChange, changed: readonly string[]): AgentVersion {
  return {
    id: versionId(agent.id, agent.version),
    agent_id: agent.id,
    user_id: agent.user_id,
    number: agent.version,
    created_at: change.now,
    by: change.by,
    cause: change.cause,
    restored_from: change.restoredFrom ?? null,
    changed,
    definition: definitionOf(agent),
  }
}

function differingMembers(before: AgentDefinition, after: AgentDefinition): readonly string[] {
  const names = Object.keys(after) as (keyof AgentDefinition)[]
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}
