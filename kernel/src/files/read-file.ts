import {
  type UserFileContent,
  type UserFileEntry,
  type UserFileRange,
  type UserFileStream,
  userFileTooLargeError,
} from '@agent-service/sdk/services/user-files'
import { fileBytes } from './file-bytes.js'
import { type FileTree, placeOf, rootOf } from './file-tree.js'
import { type OpenUserFile, openCheckedFile } from './open-checked-file.js'

/** The most that is read into memory at once. */
export const mostReadBytes = 10 * 1024 * 1024

/** Opens a file of a tree. */
export async function openFile(tree: FileTree, path: string): Promise<OpenUserFile | undefined> {
  const { folder, name } = placeOf(path)
  const users = await tree.users()
  if (users === undefined) return undefined
  const root = rootOf(users, tree)
  return openCheckedFile([root, ...folder, name].join('/'), { root, locate: tree.locate, links: tree.links })
}

/** A file as it is read; `undefined` for what is no file. */
export async function streamFile(tree: FileTree, path: string, range: UserFileRange = {}): Promise<UserFileStream | undefined> {
  const file = await openFile(tree, path)
  if (!file) return undefined
  const { first, last } = boundsOf(file, range)
  return { ...entryOf(path, file), stream: fileBytes(file.handle, { first, last }) }
}

/** A file, or a part of it, in memory. @throws `file_too_large` */
export async function readFile(tree: FileTree, path: string, range: UserFileRange = {}): Promise<UserFileContent | undefined> {
  const file = await openFile(tree, path)
  if (!file) return undefined
  try {
    const { first, last } = boundsOf(file, range)
    const size = last - first + 1
    if (size > mostReadBytes) throw userFileTooLargeError.create({ path, limit: mostReadBytes })
    const bytes = Buffer.allocUnsafeSlow(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await file.handle.read(bytes, filled, size - filled, first + filled)
      // It has become shorter: what is there is all there is.
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return { ...entryOf(path, file), bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, filled) }
  } finally {
    await file.handle.close()
  }
}

function boundsOf({ size }: OpenUserFile, { offset = 0, length }: UserFileRange): { readonly first: number; readonly last: number } {
  const first = Math.min(Math.max(0, offset), size)
  return { first, last: Math.min(size, length === undefined ? size : first + Math.max(0, length)) - 1 }
}

const entryOf = (path: string, { name, size, modifiedAt, etag }: OpenUserFile): UserFileEntry => ({
  ...{ name, path, kind: 'file', size, etag },
  modifiedAt: modifiedAt.getTime(),
})
