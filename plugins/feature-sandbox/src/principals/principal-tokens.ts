import type { EphemeralTokens, KeptToken } from '@agent-service/sdk/services/ephemeral-tokens'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** The tokens of processes for the service's own API. */
export interface PrincipalTokens {
  /** A token of the principal until the signal is aborted; `replace` gets its successors. */
  keep(
    principal: Pick<SandboxPrincipal, 'userId' | 'kind' | 'id'>,
    options: { readonly signal: AbortSignal; readonly replace: (token: string) => Promise<void> },
  ): Promise<KeptToken>
}

export function createPrincipalTokens(tokens: Pick<EphemeralTokens, 'keepToken'>): PrincipalTokens {
  return {
    keep: ({ userId, kind, id }, { signal, replace }) =>
      tokens.keepToken({ userId, actor: { kind, id, purpose: 'sandbox' }, replace }, signal),
  }
}
