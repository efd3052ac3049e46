import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { requireOperation } from '@agent-service/sdk/services/policy'
import type { ShareLink } from '@agent-service/sdk/services/share-links'
import { fileNotSentError } from '../common/errors.js'
import { guestLinkSeconds } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'

/**
 * A link to a file that the channel does not take, for as long as links live; for guests a day, since it
 * shows what the file becomes later. @throws `file_not_sent` where there are no links, and as `shareFile`.
 */
export async function shareInstead(
  { shareLinks, policies }: Pick<ChannelParts, 'shareLinks' | 'policies'>,
  { userId, guests, signal }: ToolContext,
  { path, why }: { readonly path: string; readonly why: string },
): Promise<ShareLink> {
  if (!shareLinks)
    throw fileNotSentError.create({ reason: `${why}, and this service makes no links to files. Say in your answer what is in it.` })
  await requireOperation(policies, { userId, operation: 'createShare', signal })
  if (guests === undefined) return shareLinks.shareFile({ userId, path }, { signal })
  try {
    return await shareLinks.shareFile({ userId, path, expiresInSeconds: guestLinkSeconds }, { signal })
  } catch (error) {
    // Links may live for less than that anyway.
    if (!invalidRequestError.isInstance(error)) throw error
    return shareLinks.shareFile({ userId, path }, { signal })
  }
}
