import type { UserFileEntry, UserFiles as UserFilesService, UserFolder } from '@agent-service/sdk/services/user-files'
import { userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { makeCheckedFolder, openCheckedFolder } from './checked-folder.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { createFileTree, type FileTree, namesOf, ownerOf } from './file-tree.js'
import { listFolder } from './list-folder.js'
import { moveFile } from './move-file.js'
import type { OpenUserFile } from './open-checked-file.js'
import { createPathLocks, type PathLocks } from './path-locks.js'
import { type PathOfDescriptor, pathOfDescriptor } from './path-of-descriptor.js'
import { openFile, readFile, streamFile } from './read-file.js'
import { realPathIn } from './real-path.js'
import { removeFile } from './remove-file.js'
import type { StoredBytes } from './stored-bytes.js'
import type { UserPath } from './user-path.js'
import { writeFile } from './write-file.js'

export type { OpenUserFile } from './open-checked-file.js'
export { type PathOfDescriptor, pathOfDescriptor } from './path-of-descriptor.js'

/** Whose folder it is. */
export interface FolderOwner {
  /** The name of the user's folder. */
  readonly handle: string
}

/** The files of users, below `{storage.data_dir}/users/{user_handle}`. Every path of a user is resolved and checked here and nowhere else. */
export interface UserFiles extends UserFilesService {
  /**
   * Opens a regular file for reading. `undefined` for everything else: what is not there or cannot be read, folders,
   * devices, FIFOs, sockets, files with several names, and whatever a symbolic link leads out of the subsystem's folder to.
   * Never waits for what is opened. `links` as for a folder; default `follow`.
   */
  open(owner: FolderOwner, place: UserPath, options?: { readonly links?: FileTree['links'] }): Promise<OpenUserFile | undefined>
}

/** Dotted words in kebab-case, as manifests declare them. */
const subsystemPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z][a-z0-9]*(-[a-z0-9]+)*)*$/

/** Makes them. `usersFolder` is `{storage.data_dir}/users`. */
export function createUserFiles(options: {
  readonly usersFolder: string
  readonly pathOfDescriptor?: PathOfDescriptor
  readonly stored: StoredBytes
}): UserFiles {
  const { usersFolder, stored } = options
  const locate = options.pathOfDescriptor ?? pathOfDescriptor
  const locks = createPathLocks()
  const treeOf = ({ handle }: FolderOwner, names: readonly string[], links: FileTree['links'] = 'follow'): FileTree =>
    createFileTree({ usersFolder, locate, handle, names, links })

  return {
    async open(owner, { subsystem, segments }, { links } = {}) {
      return openFile(treeOf(owner, [subsystem], links), segments.join('/'))
    },
    folder(owner, { subsystem, path = '', links }) {
      if (!subsystemPattern.test(subsystem))
        throw userPathInvalidError.create({ path: String(subsystem), problem: 'is no folder of files' })
      return createUserFolder(treeOf(owner, [subsystem, ...namesOf(path)], links), { locks, stored })
    },
    // A tree is made of names that are checked.
    stored: (owner) => stored.usage(ownerOf(treeOf(owner, []))),
  }
}

function createUserFolder(tree: FileTree, changes: { readonly locks: PathLocks; readonly stored: StoredBytes }): UserFolder {
  return Object.freeze<UserFolder>({
    realPath: (path, options = {}) => realPathIn(tree, path, options),
    stat: (path) => statFile(tree, path),
    async list(path, options = {}) {
      const page = await listFolder(tree, path, options)
      return page ?? (path === '' ? { items: [], unnameable: 0 } : undefined)
    },
    read: (path, range) => readFile(tree, path, range),
    stream: (path, range) => streamFile(tree, path, range),
    write: (path, content, options = {}) => writeFile(tree, path, content, { ...options, ...changes }),
    remove: (path, options = {}) => removeFile(tree, path, { ...options, ...changes }),
    move: (from, to, options = {}) => moveFile(tree, from, to, { ...options, ...changes }),
    async makeFolder(path) {
      const folder = await changing(path, () => makeCheckedFolder(tree, namesOf(path)))
      await folder.close()
    },
  })
}

async function statFile(tree: FileTree, path: string): Promise<UserFileEntry | undefined> {
  const names = namesOf(path)
  const name = names.at(-1)
  const folder = await openCheckedFolder(tree, names.slice(0, -1))
  try {
    const found = await folder?.look(name ?? '.')
    return found && fileEntry(path, found)
  } finally {
    await folder?.close()
  }
}
