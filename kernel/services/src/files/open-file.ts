import type { FileHandle } from 'node:fs/promises'
import { type OpenUserFile, type UserFileContent, type UserFileRange, userFileTooLargeError } from '@agent-service/sdk/services/user-files'
import { type CheckedFile, openCheckedFile } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { type FileTree, rootOf } from './file-tree.js'
import { splitPath } from './path-names.js'

/** The maximum that is read into memory at once. */
const maxReadBytes = 10 * 1024 * 1024
const pieceBytes = 64 * 1024

/** Opens a file of a tree; `undefined` if it is not a file. */
export async function openFile(tree: FileTree, path: string): Promise<OpenUserFile | undefined> {
  const file = await openIn(tree, path)
  if (!file) return undefined
  const { handle, found } = file
  const entry = fileEntry(path, found)
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= handle.close()
    return closed
  }
  return {
    ...entry,
    stream: (range = {}) => fileStream(handle, close, boundsOf(entry.size, range)),
    async peek(length) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(Math.min(length, pieceBytes)), 0, undefined, 0)
      return buffer.subarray(0, bytesRead)
    },
    close,
  }
}

/**
 * Reads a file, or a part of it, into memory; `undefined` if it is not a file. @throws
 * `file_too_large`
 */
export async function readFile(tree: FileTree, path: string, range: UserFileRange = {}): Promise<UserFileContent | undefined> {
  const file = await openIn(tree, path)
  if (!file) return undefined
  const { handle, found } = file
  try {
    const entry = fileEntry(path, found)
    const { first, end } = boundsOf(entry.size, range)
    if (end - first > maxReadBytes) throw userFileTooLargeError.create({ path, limit: maxReadBytes })
    const bytes = Buffer.allocUnsafeSlow(end - first)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, first + filled)
      // The file has become shorter, so nothing more can be read.
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return { ...entry, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, filled) }
  } finally {
    await handle.close()
  }
}

async function openIn(tree: FileTree, path: string): Promise<CheckedFile | undefined> {
  const { folder, name } = splitPath(path)
  const users = await tree.users()
  if (users === undefined) return undefined
  const root = rootOf(users, tree)
  return openCheckedFile([root, ...folder, name].join('/'), { root, locate: tree.locate, links: tree.links })
}

interface Bounds {
  readonly first: number
  /** The offset after the last byte. */
  readonly end: number
}

function boundsOf(size: number, { offset = 0, length = size }: UserFileRange): Bounds {
  const first = Math.min(Math.max(0, offset), size)
  return { first, end: Math.min(size, first + Math.max(0, length)) }
}

/**
 * Reads on demand, and closes as {@link OpenUserFile.stream} states. A generator would not close if
 * its iteration never began.
 */
function fileStream(
  handle: FileHandle,
  close: () => Promise<void>,
  { first, end }: Bounds,
): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array> {
  let position = first
  const iterator: AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        const wanted = Math.min(pieceBytes, end - position)
        if (wanted <= 0) {
          await close()
          return done
        }
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position)
        if (bytesRead === 0) throw new RangeError(`The file ended at byte ${position}, before byte ${end - 1}.`)
        position += bytesRead
        return { done: false, value: buffer.subarray(0, bytesRead) }
      } catch (error) {
        await close()
        throw error
      }
    },
    async return() {
      position = end
      await close()
      return done
    },
  }
  return iterator
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined }
