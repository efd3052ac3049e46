import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { CheckedFolder } from '../disk/index.js'
import { createFileTree, type FileTree, ownerOf } from './file-tree.js'
import { makeFolder } from './tree-folders.js'

/**
 * Beside a user's subsystems: where the new content of files is put together, and where folders go that are being removed.
 * No process of an agent reaches it, so nothing in it is ever swapped. What a process that was killed leaves here is swept.
 */
export const incomingName = '.incoming'

const newPrefix = 'new-'

/** A new, empty file in the folder. */
export interface IncomingFile {
  readonly handle: FileHandle
  /** Its name in the folder. */
  readonly name: string
  /** Give it to `rename`. */
  readonly path: string
  /** Closes it, and removes it unless it got another name. */
  discard(): Promise<void>
}

/** The tree that consists of a user's incoming folder. */
export const incomingTree = (tree: Pick<FileTree, 'usersFolder' | 'locate'>, handle: string): FileTree =>
  createFileTree({ ...tree, handle, names: [incomingName], links: 'refuse' })

/** Opens the incoming folder of a user, made where it is missing. */
export const openIncoming = (tree: FileTree): Promise<CheckedFolder> => makeFolder(incomingTree(tree, ownerOf(tree)), [])

/** A new file that only the service's user may read. */
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
