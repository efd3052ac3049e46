import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import type { Agents } from '@agent-service/sdk/services/agents'

/** A scope as a client names it. */
export interface ScopeInput {
  readonly kind: MemoryScope['kind']
  readonly agent_id?: string | undefined
  readonly space_id?: string | undefined
}

/**
 * The scope that a client means. An agent must be one of the user's. The id of a space is not looked
 * up: a memory stays the user's own, whatever space it names. @throws `invalid_request`.
 */
export async function scopeOf(
  { kind, agent_id: agentId, space_id: spaceId }: ScopeInput,
  { userId, agents }: { readonly userId: string; readonly agents: Pick<Agents, 'details'> },
): Promise<MemoryScope> {
  const refused = (path: string, message: string) => invalidRequestError.create({ where: 'body' }, { problems: [{ path, message }] })
  if (kind !== 'agent' && agentId !== undefined) throw refused('/scope/agent_id', 'must be absent, because the kind is not “agent”')
  if (kind !== 'space' && spaceId !== undefined) throw refused('/scope/space_id', 'must be absent, because the kind is not “space”')
  if (kind === 'user') return { kind }
  if (kind === 'space') {
    if (spaceId === undefined) throw refused('/scope/space_id', 'is required, because the kind is “space”')
    return { kind, spaceId }
  }
  if (agentId === undefined) throw refused('/scope/agent_id', 'is required, because the kind is “agent”')
  if ((await agents.details(userId, agentId)) === undefined) throw refused('/scope/agent_id', 'must be the id of one of your agents')
  return { kind, agentId }
}
