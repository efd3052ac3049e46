import type { AgentCredentials, SecretMask } from '@agent-service/sdk/services/agent-credentials'
import type { SandboxOutput, SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** Masks for the output of processes. */
export interface ProcessMasks {
  /** A mask for one text of a principal. Where agents have no credentials, it changes nothing. */
  of(principal: Pick<SandboxPrincipal, 'kind' | 'userId' | 'id'>): Promise<SecretMask>
}

/** How much is read before a position, in bytes, so that a secret that begins there is found: the longest one, in hexadecimal with separators. */
export const contextBytes = 65_536

export const createProcessMasks = (credentials: Pick<AgentCredentials, 'mask'> | undefined): ProcessMasks => ({
  async of({ kind, userId, id }) {
    return credentials !== undefined && kind === 'agent' ? credentials.mask({ userId, agentId: id }) : unmasked()
  },
})

const unmasked = (): SecretMask => ({
  take: (text) => text,
  end: () => '',
  takeParts: (text) => [{ length: text.length, shown: text }],
  endParts: () => [],
})

/** A piece of output without what is before a position; and that. */
export function splitAt(piece: SandboxOutput, position: number): { readonly before?: SandboxOutput; readonly after?: SandboxOutput } {
  const length = position - piece.offset
  if (length <= 0) return { after: piece }
  if (length >= piece.bytes.byteLength) return { before: piece }
  return {
    before: { ...piece, bytes: piece.bytes.subarray(0, length) },
    after: { ...piece, offset: position, bytes: piece.bytes.subarray(length) },
  }
}
