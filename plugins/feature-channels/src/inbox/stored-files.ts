import { withTimeLimit } from '@agent-service/sdk/async'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { type UserFolder, userFileChangedError, userFileTooLargeError, userStorageFullError } from '@agent-service/sdk/services/user-files'
import { downloadMs, maxFileBytes, maxOwnFileBytes } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { OpenSession } from '../sessions/open-session.js'
import type { InboxFile, InboxMessage } from '../store/inbox.js'
import { folderOf } from './kept-files.js'

/** The most bytes of one file that comes with a message: of the account's own person, and of anyone else. */
export const maxBytesFor = (isOwner: boolean): number => (isOwner ? maxOwnFileBytes : maxFileBytes)

/** Where a file comes from. */
export interface FileSource {
  readonly message: InboxMessage
  readonly userId: string
  readonly isOwner: boolean
  /** Absent: files that the vendor keeps cannot be had now. */
  readonly session: OpenSession | undefined
  readonly signal: AbortSignal
}

/**
 * Stores a file of a message among the user's own files, where people's uploads for messages lie, so
 * that it goes to the agent as those do. Its place follows from the message: a repetition after a
 * crash finds it there. `reason`: why it is not there, in words that follow “but”. @throws the
 * signal's reason.
 */
export async function storeFile(
  parts: ChannelParts,
  file: InboxFile,
  index: number,
  source: FileSource,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  const { message, userId, isOwner, signal } = source
  const path = `attachments/${message.received_at.slice(0, 10)}/${message.id}-${index}/${nameOf(file)}`
  if ((file.size ?? 0) > maxBytesFor(isOwner)) return { reason: 'it is too large' }
  try {
    if (!(await mayWrite(parts, userId, `files/${path}`)))
      return { reason: 'the policies of this service do not allow its owner to store it' }
    const account = await parts.accounts.get(userId)
    if (!account) return { reason: 'it could not be loaded' }
    const folder = parts.files.folder({ handle: account.handle }, { subsystem: 'files', links: 'refuse' })
    if ((await folder.stat(path))?.kind === 'file') return { path: `files/${path}` }
    const reason = await write(parts, folder, path, { file, ...source })
    return reason === undefined ? { path: `files/${path}` } : { reason }
  } catch (error) {
    signal.throwIfAborted()
    // Another process has stored it meanwhile.
    if (userFileChangedError.isInstance(error)) return { path: `files/${path}` }
    if (userFileTooLargeError.isInstance(error)) return { reason: 'it is too large' }
    if (quotaExceededError.isInstance(error) || userStorageFullError.isInstance(error)) return { reason: 'there is no room for it' }
    parts.log.info('A file of a message could not be loaded.', { connection: source.session?.connection.id, error })
    return { reason: 'it could not be loaded' }
  }
}

/** Why there is nothing to write; undefined: it is written. */
async function write(
  parts: ChannelParts,
  folder: UserFolder,
  path: string,
  { file, userId, isOwner, session, signal }: FileSource & { readonly file: InboxFile },
): Promise<string | undefined> {
  const options = { ifNoneMatch: '*', maximumBytes: maxBytesFor(isOwner), signal }
  if (file.path !== null) {
    const kept = await (await folderOf(parts, userId))?.read(file.path)
    if (!kept) return 'it is gone'
    await folder.write(path, kept.bytes, options)
    return undefined
  }
  if (file.id === null) return 'it is too large'
  if (!session?.session.download) return 'it could not be loaded'
  const download = session.session.download.bind(session.session)
  const attachment = {
    id: file.id,
    ...(file.name !== null && { name: file.name }),
    ...(file.media_type !== null && { mediaType: file.media_type }),
  }
  await withTimeLimit((within) => folder.write(path, download(attachment, { signal: within }), { ...options, signal: within }), {
    limitMs: downloadMs,
    clock: parts.clock,
    signal: AbortSignal.any([signal, session.signal]),
  })
  return undefined
}

/** A plain name of a file, short enough in bytes for every file system. */
function nameOf({ name }: InboxFile): string {
  const plain = (name ?? 'file')
    .replace(/[\p{Cc}\p{Cs}\\/]/gu, '_')
    .slice(-80)
    .replace(/^[\udc00-\udfff]/, '')
  return /^\.*$/.test(plain) ? 'file' : plain
}

async function mayWrite({ policies }: Pick<ChannelParts, 'policies'>, userId: string, path: string): Promise<boolean> {
  const principal = { type: 'User', id: userId }
  const resource = { type: 'File', id: path, attributes: { path, owner: { __entity: { type: 'User', id: userId } } } }
  return (await policies.isAuthorized({ principal, action: 'write_file', resource })).allowed
}
