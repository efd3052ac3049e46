import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { CheckedFolder } from './disk/index.js'
import { createFileTree, type FileTree, ownerOf } from './file-tree.js'
import { makeFolder } from './tree-folders.js'

/**
 * The folder for new contents that are being written, and for folders that are being removed,
 * beside the user's subsystems. No process of an agent reaches it, so nothing in it can be
 * replaced. Files that a killed process leaves here are swept.
 */
export const incomingName = '.incoming'

const newPrefix = 'new-'

export interface IncomingFile {
  readonly handle: FileHandle
  readonly name: string
  /** Its path, for `rename`. */
  readonly path: string
  /** Closes it, and removes it unless it was renamed. */
  discard(): Promise<void>
}

export const incomingTree = (tree: Pick<FileTree, 'usersFolder' | 'locate'>, handle: string): FileTree =>
  createFileTree({ ...tree, handle, names: [incomingName], links: 'refuse' })

/** Opens the incoming folder of a user; creates it if missing. */
export const openIncoming = (tree: FileTree): Promise<CheckedFolder> => makeFolder(incomingTree(tree, ownerOf(tree)), [])

/** Creates a file that only the service's user may read. */
export async function createIncomingFile(incoming: CheckedFolder): Promise<IncomingFile> {
  const name = `${newPrefix}${randomUUID()}`
  const path = incoming.at(name)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(path, flags, 0o600)
  return {
    handle,
    name,
    path,
    async discard() {
      await handle.close()
      await unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
  }
}
