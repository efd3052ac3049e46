import { rename } from 'node:fs/promises'
import { type UserFileEntry, userFileConflictError, userFileNotFoundError } from '@agent-service/sdk/services/user-files'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { bytesOf, type FileTree, ownerOf } from './file-tree.js'
import type { PathLocks } from './path-locks.js'
import { splitPath } from './path-names.js'
import type { StoredBytes } from './stored-bytes.js'
import { makeFolder, openFolder } from './tree-folders.js'

/** Moves an entry to another path by one rename between two open folders. */
export async function moveFile(
  tree: FileTree,
  from: string,
  to: string,
  { replace = false, locks, stored }: { readonly replace?: boolean; readonly locks: PathLocks; readonly stored: StoredBytes },
): Promise<UserFileEntry> {
  const [source, target] = [splitPath(from), splitPath(to)]
  if (to.startsWith(`${from}/`)) throw userFileConflictError.create({ path: from, reason: 'cannot be moved into itself' })
  const folder = await openFolder(tree, source.folder)
  try {
    const moving = await folder?.look(source.name)
    if (!folder || !moving) throw userFileNotFoundError.create({ path: from })
    const into = await changing(to, () => makeFolder(tree, target.folder))
    try {
      return await locks.run(`${into.path}/${target.name}`, async () => {
        const there = await into.look(target.name)
        if (there && !(replace && there.isFile() && !moving.isDirectory()))
          throw userFileConflictError.create({ path: to, reason: 'already exists; choose another name, or remove it first' })
        return await changing(from, async () => {
          await Promise.all([folder.confirm(), into.confirm()])
          await rename(folder.at(source.name), into.at(target.name))
          if (there) stored.freed(ownerOf(tree), bytesOf(there))
          await Promise.all([folder.sync(), into.sync()])
          await into.confirm()
          return fileEntry(to, (await into.look(target.name)) ?? moving)
        })
      })
    } finally {
      await into.close()
    }
  } finally {
    await folder?.close()
  }
}
