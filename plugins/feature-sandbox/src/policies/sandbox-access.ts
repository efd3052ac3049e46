import type { SandboxFiles, SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxStart } from '@agent-service/sdk/services/sandbox'

/** What the policies give a process. */
export interface GrantedAccess {
  readonly files: SandboxFiles
  readonly network: Omit<SandboxNetwork, 'forward' | 'expose'>
}

/** Asks the policies what a process may open and reach. */
export interface SandboxAccess {
  of(start: SandboxStart, options: { readonly workspace: string; readonly signal: AbortSignal }): Promise<GrantedAccess>
}

/** The whole workspace, and the network as the section says. */
export function createSandboxAccess({ defaultNetworkAccess }: { readonly defaultNetworkAccess: boolean }): SandboxAccess {
  return {
    of: ({ network }, { workspace }) =>
      Promise.resolve({
        files: { read: [], write: [workspace], deny: [] },
        network: { access: network === 'off' || !defaultNetworkAccess ? 'off' : 'on', destinations: [] },
      }),
  }
}
