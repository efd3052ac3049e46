import { readBytes, withTimeLimit } from '@agent-service/sdk/async'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { downloadMs, maxFileBytes, maxFilesBytes } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { OpenSession } from '../sessions/open-session.js'
import { oneLine } from '../sessions/shown-error.js'
import type { InboxFile, InboxMessage } from '../store/inbox.js'
import { framed, quoted } from './guest-frame.js'
import { folderOf } from './kept-files.js'

const images: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const isReadable = (type: string): boolean => images.has(type) || type === 'application/pdf' || /^text\/[a-z0-9.+-]+$/.test(type)

/** Whether a message has files that only a session can bring. */
export const needsSession = ({ files }: Pick<InboxMessage, 'files'>): boolean =>
  files.some(({ id, media_type: type, size }) => id !== null && isReadable(type ?? '') && (size ?? 0) <= maxFileBytes)

interface ContentOptions {
  readonly message: InboxMessage
  readonly userId: string
  /** Whether the account's own person wrote it. */
  readonly isOwner: boolean
  /** Absent: files that the vendor keeps cannot be had now. */
  readonly session: OpenSession | undefined
  readonly signal: AbortSignal
}

/**
 * The message as its agent reads it. In a group it says who writes, and of a guest always. Files that fit become parts of it;
 * of the others, their names and why they are missing. @throws the signal's reason.
 */
export async function messageContent(parts: ChannelParts, options: ContentOptions): Promise<readonly (TextPart | ImagePart | FilePart)[]> {
  const { message } = options
  const name = message.sender.name || message.sender.id
  const named = message.conversation.kind === 'group' ? `${oneLine(name, 200)}: ${message.text}` : message.text
  const said = options.isOwner ? named : framed(name, message.text)
  const content: (ImagePart | FilePart)[] = []
  const notes: string[] = []
  let room = maxFilesBytes
  for (const file of message.files) {
    const loaded = await load(parts, file, { ...options, room })
    if (typeof loaded === 'string') {
      notes.push(`[The file ${quoted(file.name ?? 'without a name')} was sent, too, but ${loaded}.]`)
      continue
    }
    room -= loaded.byteLength
    const data = Buffer.from(loaded).toString('base64')
    const type = file.media_type ?? 'application/octet-stream'
    content.push(
      images.has(type) ? { type: 'image', media_type: type, data } : { type: 'file', media_type: type, name: nameOf(file), data },
    )
  }
  const text = [said, ...notes].filter((each) => each !== '').join('\n\n')
  return [{ type: 'text', text: text === '' && content.length === 0 ? '(An empty message.)' : text }, ...content]
}

const nameOf = ({ name }: InboxFile): string => (name ?? 'file').replaceAll(/[\\/]/g, '_').slice(0, 255)

/** The bytes of a file, or why there are none. */
async function load(
  parts: ChannelParts,
  file: InboxFile,
  { userId, session, signal, room }: ContentOptions & { readonly room: number },
): Promise<Uint8Array | string> {
  if (!isReadable(file.media_type ?? '')) return 'files of its kind cannot be shown to an agent'
  if ((file.size ?? 0) > Math.min(maxFileBytes, room)) return 'it is too large'
  try {
    if (file.path !== null) return (await (await folderOf(parts, userId))?.read(file.path))?.bytes ?? 'it is gone'
    if (file.id === null) return 'it is too large'
    const attachment = {
      id: file.id,
      ...(file.name !== null && { name: file.name }),
      ...(file.media_type !== null && { mediaType: file.media_type }),
    }
    if (!session?.session.download) return 'it could not be loaded'
    const download = session.session.download.bind(session.session)
    return await withTimeLimit(
      (within) => readBytes(download(attachment, { signal: within }), { maxBytes: Math.min(maxFileBytes, room), signal: within }),
      { limitMs: downloadMs, clock: parts.clock, signal: AbortSignal.any([signal, session.signal]) },
    )
  } catch (error) {
    signal.throwIfAborted()
    parts.log.info('A file of a message could not be loaded.', { connection: session?.connection.id, error })
    return 'it could not be loaded'
  }
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
