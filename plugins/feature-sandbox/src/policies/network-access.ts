import type { SandboxDestination, SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import type { PolicyEntity, PolicyRequest, PolicyService } from '@agent-service/sdk/services/policy'
import type { SandboxStart } from '@agent-service/sdk/services/sandbox'
import { principalEntity } from './principal-entity.js'

/** What of the network a process gets; its ports are not the policies' matter. */
export type GrantedNetwork = Omit<SandboxNetwork, 'forward' | 'expose'>

/** What decides about destinations. */
export interface NetworkRules {
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  /** `sandbox.default_network_access`. */
  readonly defaultAccess: boolean
  /** Called with a destination that was refused. */
  readonly onRefused: (start: SandboxStart, destination: SandboxDestination) => void
}

const closed: GrantedNetwork = { access: 'off', destinations: [] }

/** What the settings of agents say about a process. */
export interface AgentsNetwork {
  /** Whether the agent and all those for which it works may have a network. */
  readonly permitted: boolean
  /** Those for which it works. */
  readonly callers: readonly PolicyEntity[]
}

/**
 * Each connection is a question to the policies, at the moment in which it is made: `connect` on a
 * `Network` with the host and the port. What the name of a host permits, an address may still
 * forbid. Of the agents for which the principal works only a forbid counts: they may ask it for what
 * they have no access to themselves.
 */
export function networkAccess(start: SandboxStart, { permitted, callers }: AgentsNetwork, rules: NetworkRules): GrantedNetwork {
  if (start.network === 'off' || !permitted) return closed
  const { policies, defaultAccess, onRefused } = rules
  const principal = principalEntity(start.principal)
  const isAllowed = async (host: string, port: number, byDefault: boolean, signal: AbortSignal): Promise<boolean> => {
    const asked = [
      connectQuestion(principal, { host, port, byDefault }),
      ...callers.map((caller) => connectQuestion(caller, { host, port, byDefault: true })),
    ]
    for (const question of asked) if (!(await policies.isAuthorized(question, { signal })).allowed) return false
    return true
  }
  return {
    access: 'some',
    destinations: [],
    async allows(destination, { signal }) {
      const { host, port, address } = destination
      // A permitted name stands for its addresses, so that only a forbid counts for these.
      const isAddress = address !== undefined && address !== host
      const allowed = isAddress ? await isAllowed(address, port, true, signal) : await isAllowed(host, port, defaultAccess, signal)
      if (!allowed) onRefused(start, destination)
      return allowed
    },
  }
}

/** What the policies are asked about a connection. `byDefault`: what holds where no policy says anything. */
export const connectQuestion = (
  principal: PolicyEntity,
  { host, port, byDefault }: { readonly host: string; readonly port: number; readonly byDefault: boolean },
): PolicyRequest => ({ principal, action: 'connect', resource: networkEntity(host, port), context: { default_access: byDefault } })

const networkEntity = (host: string, port: number): PolicyEntity => ({
  ...{ type: 'Network', id: `${host}:${port}` },
  attributes: { host, port },
})
