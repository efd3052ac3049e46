import { rename, rmdir, unlink } from 'node:fs/promises'
import type { UserFileConditions } from '@agent-service/sdk/services/user-files'
import { checkConditions } from './conditions.js'
import { type CheckedFolder, emptyTrash, trashName } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { bytesOf, type FileTree, ownerOf } from './file-tree.js'
import { openIncoming } from './incoming-folder.js'
import type { PathLocks } from './path-locks.js'
import { splitPath } from './path-names.js'
import type { StoredBytes } from './stored-bytes.js'
import { openFolder } from './tree-folders.js'

/** How long the removal of a folder waits until its bytes are freed; the sweep frees the rest. */
const freeingMs = 5_000

/**
 * Removes the entry at a path. A folder with content is first moved out of the tree in one step,
 * where no process of an agent reaches it by a path. It is emptied afterwards, when others may change
 * the path again: a process that still works in the folder can make that last as long as it may.
 */
export async function removeFile(
  tree: FileTree,
  path: string,
  options: Pick<UserFileConditions, 'ifMatch'> & { readonly recursive?: boolean; readonly locks: PathLocks; readonly stored: StoredBytes },
): Promise<boolean> {
  const { folder: names, name } = splitPath(path)
  const folder = await openFolder(tree, names)
  if (!folder) return false
  try {
    const removed = await options.locks.run(`${folder.path}/${name}`, async () => {
      const found = await folder.look(name)
      checkConditions(path, found && fileEntry(path, found), options)
      if (!found) return undefined
      const isTrashed = found.isDirectory() && options.recursive === true
      await changing(path, async () => {
        await folder.confirm()
        if (!found.isDirectory()) await unlink(folder.at(name))
        else if (isTrashed) await withIncoming(tree, (incoming) => rename(folder.at(name), incoming.at(trashName())))
        else await rmdir(folder.at(name))
        await folder.sync()
      })
      return { found, isTrashed }
    })
    if (removed?.isTrashed) await changing(path, () => withIncoming(tree, (incoming) => emptyTrash(incoming, { withinMs: freeingMs })))
    if (removed) options.stored.freed(ownerOf(tree), bytesOf(removed.found))
    return removed !== undefined
  } finally {
    await folder.close()
  }
}

async function withIncoming(tree: FileTree, work: (incoming: CheckedFolder) => Promise<void>): Promise<void> {
  const incoming = await openIncoming(tree)
  try {
    await work(incoming)
  } finally {
    await incoming.close()
  }
}
