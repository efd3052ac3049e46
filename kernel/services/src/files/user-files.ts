import { type UserFiles, type UserFolder, type UserFolderPlace, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { type PathOfDescriptor, pathOfDescriptor } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { createFileTree, type FileTree, ownerOf } from './file-tree.js'
import { listFolder } from './list-folder.js'
import { moveFile } from './move-file.js'
import { openFile, readFile } from './open-file.js'
import { createPathLocks, type PathLocks } from './path-locks.js'
import { composedName, namesOf } from './path-names.js'
import { removeFile } from './remove-file.js'
import type { StoredBytes } from './stored-bytes.js'
import { storedPath } from './stored-path.js'
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

/** Every path is first read as its names are on the disk: see {@link storedPath}. */
function createUserFolder(tree: FileTree, changes: { readonly locks: PathLocks; readonly stored: StoredBytes }): UserFolder {
  const at = (path: string): Promise<string> => storedPath(tree, path)
  return Object.freeze<UserFolder>({
    realPath: async (path, options = {}) => realPathIn(tree, await at(path), options),
    async stat(given) {
      const path = await at(given)
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
      const page = await listFolder(tree, await at(path), options)
      return page ?? (path === '' ? { items: [], unnameable: 0 } : undefined)
    },
    read: async (path, range) => readFile(tree, await at(path), range),
    open: async (path) => openFile(tree, await at(path)),
    write: async (path, content, options = {}) => writeFile(tree, await at(path), content, { ...options, ...changes }),
    remove: async (path, options = {}) => removeFile(tree, await at(path), { ...options, ...changes }),
    async move(from, to, options = {}) {
      const [source, target] = [await at(from), await at(to)]
      // A file may get the composed form of its own name.
      const wanted = source === target ? namesOf(to).map(composedName).join('/') : target
      return moveFile(tree, source, wanted, { ...options, ...changes })
    },
    async makeFolder(given) {
      const path = await at(given)
      const folder = await changing(path, () => makeFolder(tree, namesOf(path)))
      await folder.close()
    },
  })
}
