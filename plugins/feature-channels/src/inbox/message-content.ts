import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ChannelParts } from '../parts/channel-parts.js'
import { oneLine } from '../sessions/shown-error.js'
import type { InboxMessage } from '../store/inbox.js'
import { framed, quoted } from './guest-frame.js'
import { folderOf } from './kept-files.js'
import { type FileSource, maxBytesFor, storeFile } from './stored-files.js'

/** Whether a message has files that only a session can bring. */
export const needsSession = ({ files }: Pick<InboxMessage, 'files'>, isOwner: boolean): boolean =>
  files.some(({ id, size }) => id !== null && (size ?? 0) <= maxBytesFor(isOwner))

/** A message as it is given to its agent. */
export interface MessageContent {
  readonly message: readonly TextPart[]
  readonly attachments: readonly { readonly path: string }[]
}

/**
 * The message as its agent reads it. In a group it says who writes, and of a guest always. Its files go with it, from the
 * user's own files; of those that could not be loaded, it has the names and why they are missing. @throws the signal's reason.
 */
export async function messageContent(parts: ChannelParts, source: FileSource): Promise<MessageContent> {
  const { message } = source
  const name = message.sender.name || message.sender.id
  const named = message.conversation.kind === 'group' ? `${oneLine(name, 200)}: ${message.text}` : message.text
  const said = source.isOwner ? named : framed(name, message.text)
  const attachments: { readonly path: string }[] = []
  const notes: string[] = []
  for (const [index, file] of message.files.entries()) {
    const stored = await storeFile(parts, file, index, source)
    if ('path' in stored) attachments.push(stored)
    else notes.push(`[The file ${quoted(file.name ?? 'without a name')} was sent, too, but ${stored.reason}.]`)
  }
  const text = [said, ...notes].filter((each) => each !== '').join('\n\n')
  if (text !== '') return { message: [{ type: 'text', text }], attachments }
  return { message: attachments.length === 0 ? [{ type: 'text', text: '(An empty message.)' }] : [], attachments }
}

/** Deletes the contents that were kept for a message. */
export async function forgetFiles(parts: ChannelParts, { files, user_id: userId }: Pick<InboxMessage, 'files' | 'user_id'>): Promise<void> {
  const kept = files.flatMap(({ path }) => (path === null ? [] : [path]))
  if (kept.length === 0 || userId === null) return
  try {
    const folder = await folderOf(parts, userId)
    for (const path of kept) await folder?.remove(path)
  } catch (error) {
    parts.log.warn('Files of a settled message could not be deleted.', { error })
  }
}
