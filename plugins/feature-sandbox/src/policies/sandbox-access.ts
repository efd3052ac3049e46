import { type SandboxFiles, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { SandboxPrincipal, SandboxStart } from '@agent-service/sdk/services/sandbox'
import type { Skills } from '@agent-service/sdk/services/skills'
import { type FileRules, fileAccess } from './file-access.js'
import { type AgentsNetwork, type GrantedNetwork, type NetworkRules, networkAccess } from './network-access.js'
import { principalEntity } from './principal-entity.js'

/** What the policies give a process. */
export interface GrantedAccess {
  readonly files: SandboxFiles
  readonly network: GrantedNetwork
}

/** Asks the policies what a process may open and reach. */
export interface SandboxAccess {
  /** @throws `sandbox_refused` if it may not run at all, or the policies cannot be kept. */
  of(start: SandboxStart, options: { readonly workspace: string; readonly signal: AbortSignal }): Promise<GrantedAccess>
}

export function createSandboxAccess(
  rules: NetworkRules &
    FileRules & { readonly agents: Pick<Agents, 'details'> | undefined; readonly skills: Pick<Skills, 'folders'> | undefined },
): SandboxAccess {
  return {
    async of(start, { workspace, signal }) {
      const agents = await agentsNetwork(start, rules.agents)
      const files = await fileAccess(start.principal, { ...rules, workspace, signal })
      const skills = await skillFolders(start.principal, rules.skills, signal)
      return { network: networkAccess(start, agents, rules), files: { ...files, read: [...files.read, ...skills] } }
    },
  }
}

/** The scripts and material of an agent's skills may be read. */
async function skillFolders(
  { kind, userId, userHandle, id }: SandboxPrincipal,
  skills: Pick<Skills, 'folders'> | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return kind === 'agent' && skills ? skills.folders({ userId, userHandle, agentId: id }, { signal }) : []
}

/**
 * What the settings of the agent say, and of those for which it works: one that was deleted cannot
 * permit anything any more. @throws `sandbox_refused` for an agent that is none.
 */
async function agentsNetwork(
  { principal, callers = [] }: SandboxStart,
  agents: Pick<Agents, 'details'> | undefined,
): Promise<AgentsNetwork> {
  const { userId } = principal
  const known = await Promise.all(callers.map((id) => agents?.details(userId, id)))
  return {
    permitted: (await mayConnect(principal, agents)) && known.every((caller) => caller?.sandbox.network === true),
    callers: known.flatMap((caller) => (caller ? [principalEntity({ kind: 'agent', userId, id: caller.id, handle: caller.handle })] : [])),
  }
}

/** What the agent's own settings say. @throws `sandbox_refused` for an agent that is none. */
async function mayConnect(principal: SandboxPrincipal, agents: Pick<Agents, 'details'> | undefined): Promise<boolean> {
  if (principal.kind !== 'agent') return true
  const agent = await agents?.details(principal.userId, principal.id)
  if (agent === undefined) throw sandboxRefusedError.create({ reason: 'its agent does not exist' })
  if (agent.workspace !== principal.workspace) throw sandboxRefusedError.create({ reason: 'its workspace is not that of its agent' })
  return agent.sandbox.network
}
