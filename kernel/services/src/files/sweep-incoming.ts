import { lstat, opendir, unlink } from 'node:fs/promises'
import { type CheckedFolder, emptyTrash, isTrash, orAbsent } from './disk/index.js'
import { type FileTree, isHandle } from './file-tree.js'
import { incomingTree } from './incoming-folder.js'
import { sweepUploads } from './sweep-uploads.js'
import { openFolder } from './tree-folders.js'
import { uploadPartOf } from './upload-record.js'

/** A file that was not written to for this long belongs to a write that has ended. */
const staleMs = 24 * 3_600_000
const trashMs = 60_000

/** Removes what interrupted writes and unfinished removals of all users have left behind. */
export async function sweepIncoming(
  where: Pick<FileTree, 'usersFolder' | 'locate'>,
  options: {
    readonly now: number
    readonly signal: AbortSignal
    /** The ids of uploads that are being changed. Default: none. */
    readonly busy?: ReadonlySet<string>
    /** Bytes of an upload of a user were removed. */
    readonly freed?: (handle: string, bytes: number) => void
  },
): Promise<void> {
  const { now, signal, busy = new Set(), freed } = options
  const users = await orAbsent(opendir(where.usersFolder))
  if (!users) return
  for await (const user of users) {
    signal.throwIfAborted()
    const isUser = user.isDirectory() && isHandle(user.name)
    const incoming = isUser ? await openFolder(incomingTree(where, user.name), []) : undefined
    if (!incoming) continue
    try {
      await sweepFiles(incoming, now - staleMs, signal)
      await sweepUploads(incoming, { now, signal, busy, removed: (bytes) => freed?.(user.name, bytes) })
      await emptyTrash(incoming, { withinMs: trashMs, signal })
    } finally {
      await incoming.close()
    }
  }
}

async function sweepFiles(incoming: CheckedFolder, before: number, signal: AbortSignal): Promise<void> {
  for await (const { name } of await opendir(incoming.self)) {
    signal.throwIfAborted()
    if (isTrash(name) || uploadPartOf(name)) continue
    const found = await orAbsent(lstat(incoming.at(name)))
    if (found && !found.isDirectory() && found.mtimeMs < before) await orAbsent(unlink(incoming.at(name)))
  }
}
