import { type PolicyService, requireOperation } from '@agent-service/sdk/services/policy'
import type { ShareLink, ShareLinks, ShareRequest } from '@agent-service/sdk/services/share-links'
import type { MintedShare, Minter, ShareService } from './minting/share-service.js'

/** The service `share-links`. */
export function createShareLinks(dependencies: {
  readonly service: ShareService
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): ShareLinks {
  const { service, policies } = dependencies
  const permit = (userId: string, operation: string, signal: AbortSignal) => requireOperation(policies, { userId, operation, signal })
  return {
    async shareFile({ path, ...request }, { signal }) {
      await permit(request.userId, 'getFileContent', signal)
      return linkOf(await service.shareFile(minterOf(request, signal), path))
    },
    async shareChat({ chatId, ...request }, { signal }) {
      await permit(request.userId, 'exportChat', signal)
      return linkOf(await service.shareChat(minterOf(request, signal), chatId))
    },
    async shareText({ title, messages, ...request }, { signal }) {
      const said = messages.map(({ role, text }) => ({ role, text, at: null, partial: false }))
      return linkOf(await service.shareSnapshot(minterOf(request, signal), { title, chatId: null, agentName: null, messages: said }))
    },
    revoke: ({ userId, id }) => service.revoke(userId, id),
  }
}

const minterOf = ({ userId, expiresInSeconds }: ShareRequest, signal: AbortSignal): Minter => ({
  ...{ userId, createdBy: 'service', signal },
  ...(expiresInSeconds !== undefined && { expiresInSeconds }),
})

const linkOf = ({ share, contentUrl, pageUrl }: MintedShare): ShareLink => ({
  ...{ id: share.id, contentUrl, pageUrl, expiresAt: Date.parse(share.expires_at) },
})
