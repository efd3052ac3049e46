import { type UserFiles, type UserFolder, type UserFolderPlace, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { type PathOfDescriptor, pathOfDescriptor } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { createFileTree, type FileTree, ownerOf } from './file-tree.js'
import { listFolder } from './list-folder.js'
import { moveFile } from './move-file.js'
import { openFile, readFile } from './open-file.js'
import { createPathLocks, type PathLocks } from './path-locks.js'
import { namesOf } from './path-names.js'
import { removeFile } from './remove-file.js'
import type { StoredBytes } from './stored-bytes.js'
import { sweepIncoming } from './sweep-incoming.js'
import { makeFolder, openFolder, realPathIn } from './tree-folders.js'
import { createUserUploads } from './user-uploads.js'
import { writeFile } from './write-file.js'

/** Dotted words in kebab-case, as manifests declare them. */
const subsystemPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z][a-z0-9]*(-[a-z0-9]+)*)*$/

/**
 * The files of users, below `{storage.data_dir}/users/{user_handle}`: only here are paths of users
 * resolved and checked. `usersFolder` is `{storage.data_dir}/users`; `now` is in milliseconds since
 * 1970.
 */
export function createUserFiles(options: {
  readonly usersFolder: string
  readonly stored: StoredBytes
  readonly now: () => number
  readonly pathOfDescriptor?: PathOfDescriptor
}): UserFiles {
  const { usersFolder, stored, now, pathOfDescriptor: locate = pathOfDescriptor } = options
  const locks = createPathLocks()
  const busy = new Set<string>()
  const treeOf = (handle: string, names: readonly string[], links: FileTree['links'] = 'follow'): FileTree =>
    createFileTree({ usersFolder, locate, handle, names, links })

  const treeAt = (handle: string, { subsystem, path = '', links }: UserFolderPlace): FileTree => {
    if (!subsystemPattern.test(subsystem))
      throw userPathInvalidError.create({ path: String(subsystem), problem: 'is not a storage subsystem' })
    return treeOf(handle, [subsystem, ...namesOf(path)], links)
  }

  return {
    folder: ({ handle }, place) => createUserFolder(treeAt(handle, place), { locks, stored }),
    uploads: ({ handle }, place) => createUserUploads(treeAt(handle, place), { locks, stored, busy }),
    async hostFolder({ handle }, place) {
      const tree = treeAt(handle, place)
      const folder = await changing(place.path ?? '', () => makeFolder(tree, []))
      await folder.close()
      return folder.path
    },
    ...(stored.max !== undefined && { maxBytes: stored.max }),
    // Making the tree checks the handle.
    stored: ({ handle }) => stored.usage(ownerOf(treeOf(handle, []))),
    freeLeftovers: ({ signal }) => sweepIncoming({ usersFolder, locate }, { now: now(), signal, busy, freed: stored.freed }),
  }
}

function createUserFolder(tree: FileTree, changes: { readonly locks: PathLocks; readonly stored: StoredBytes }): UserFolder {
  return Object.freeze<UserFolder>({
    realPath: (path, options = {}) => realPathIn(tree, path, options),
    async stat(path) {
      const names = namesOf(path)
      const folder = await openFolder(tree, names.slice(0, -1))
      try {
        const found = await folder?.look(names.at(-1) ?? '.')
        return found && fileEntry(path, found)
      } finally {
        await folder?.close()
      }
    },
    async list(path, options = {}) {
      const page = await listFolder(tree, path, options)
      return page ?? (path === '' ? { items: [], unnameable: 0 } : undefined)
    },
    read: (path, range) => readFile(tree, path, range),
    open: (path) => openFile(tree, path),
    write: (path, content, options = {}) => writeFile(tree, path, content, { ...options, ...changes }),
    remove: (path, options = {}) => removeFile(tree, path, { ...options, ...changes }),
    move: (from, to, options = {}) => moveFile(tree, from, to, { ...options, ...changes }),
    async makeFolder(path) {
      const folder = await changing(path, () => makeFolder(tree, namesOf(path)))
      await folder.close()
    },
  })
}
