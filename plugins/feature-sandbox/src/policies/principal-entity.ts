import type { PolicyEntity } from '@agent-service/sdk/services/policy'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

const typeOf = { agent: 'Agent', app: 'App', mcp_server: 'McpServer' } as const

/** The user of a principal, as attributes name it. */
export const ownerOf = ({ userId }: Pick<SandboxPrincipal, 'userId'>) => ({ __entity: { type: 'User', id: userId } })

/** A principal as policies see it. */
export function principalEntity(principal: Pick<SandboxPrincipal, 'kind' | 'id' | 'handle' | 'userId'>): PolicyEntity {
  const { kind, id, handle, userId } = principal
  return {
    ...{ type: typeOf[kind], id },
    attributes: { owner: ownerOf(principal), ...(handle === undefined ? {} : { handle }) },
    parents: [{ type: 'User', id: userId }],
  }
}
