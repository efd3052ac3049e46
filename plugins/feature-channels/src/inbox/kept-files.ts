import type { ChannelAttachment } from '@agent-service/sdk/contracts/channel'
import { maxFileBytes } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { oneLine } from '../sessions/shown-error.js'
import type { Connection } from '../store/connection.js'
import type { InboxFile } from '../store/inbox.js'

/** The files of a user that came with messages and are not given to an agent yet. */
export async function folderOf({ accounts, files }: Pick<ChannelParts, 'accounts' | 'files'>, userId: string) {
  const account = await accounts.get(userId)
  return account && files.folder({ handle: account.handle }, { subsystem: 'channels', path: 'inbox' })
}

/**
 * Stores the contents that a vendor sends with a message, so that they are durable with it. A repeated
 * delivery stores the same again. A file that is too large, or for which the user has no room, stays
 * as its name alone.
 */
export async function keepFiles(
  parts: ChannelParts,
  of: {
    readonly id: string
    readonly connection: Pick<Connection, 'id'>
    readonly userId: string
    readonly attachments: readonly ChannelAttachment[]
  },
): Promise<readonly InboxFile[]> {
  const folder = await folderOf(parts, of.userId)
  const kept: InboxFile[] = []
  for (const [index, { id, name, mediaType, size, bytes }] of of.attachments.entries()) {
    const file = {
      name: name === undefined ? null : oneLine(name, 255),
      media_type: mediaType?.split(';')[0]?.toLowerCase() ?? null,
      size: bytes?.byteLength ?? size ?? null,
    }
    if (bytes === undefined) {
      kept.push({ ...file, id, path: null })
      continue
    }
    const path = `${of.id}-${index}`
    const isKept = folder !== undefined && bytes.byteLength <= maxFileBytes && (await isWritten(parts, () => folder.write(path, bytes)))
    kept.push({ ...file, id: null, path: isKept ? path : null })
  }
  return kept
}

async function isWritten({ log }: Pick<ChannelParts, 'log'>, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    log.warn('A file of a message could not be kept; its message is taken without it.', { error })
    return false
  }
}
