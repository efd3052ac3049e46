import type { BigIntStats } from 'node:fs'
import { type FileHandle, rename } from 'node:fs/promises'
import { type UserFolder, userFileTooLargeError } from '@agent-service/sdk/services/user-files'
import { checkConditions, checkReplaceable } from './conditions.js'
import { type CheckedFolder, followOwner } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { bytesOf, type FileTree, ownerOf } from './file-tree.js'
import { createIncomingFile, openIncoming } from './incoming-folder.js'
import type { PathLocks } from './path-locks.js'
import { splitPath } from './path-names.js'
import type { ByteReservation, StoredBytes } from './stored-bytes.js'
import { makeFolder, openFolder } from './tree-folders.js'

type Content = Parameters<UserFolder['write']>[1]
type WriteOptions = NonNullable<Parameters<UserFolder['write']>[2]>

/**
 * Writes a file completely or not at all: into a new file, which is durable before one rename in an
 * open folder puts it in place. Conditions are checked before the content is read, and again right
 * before the rename under a lock of this process. A change by a process of an agent at that same
 * moment is overwritten.
 */
export async function writeFile(
  tree: FileTree,
  path: string,
  content: Content,
  options: WriteOptions & { readonly locks: PathLocks; readonly stored: StoredBytes },
): ReturnType<UserFolder['write']> {
  const { folder: names, name } = splitPath(path)
  const check = async (folder: CheckedFolder): Promise<BigIntStats | undefined> => {
    const found = await folder.look(name)
    const entry = found && fileEntry(path, found)
    checkReplaceable(path, entry, found?.isFile() ?? false)
    checkConditions(path, entry, options)
    return found
  }
  options.signal?.throwIfAborted()
  const early = await openFolder(tree, names)
  try {
    if (early) await check(early)
    else checkConditions(path, undefined, options)
  } finally {
    await early?.close()
  }

  const room = await options.stored.reserve(ownerOf(tree), expectedBytes(content, options), { path })
  try {
    return await writeInto(tree, path, content, { ...options, room, check })
  } finally {
    room.release()
  }
}

/** Writes the content into a new file within the reservation, and renames it to its path. */
async function writeInto(
  tree: FileTree,
  path: string,
  content: Content,
  options: WriteOptions & {
    readonly locks: PathLocks
    readonly stored: StoredBytes
    readonly room: ByteReservation
    readonly check: (folder: CheckedFolder) => Promise<BigIntStats | undefined>
  },
): ReturnType<UserFolder['write']> {
  const { folder: names, name } = splitPath(path)
  const { room, check } = options
  const incoming = await changing(path, () => openIncoming(tree))
  try {
    const fresh = await changing(path, () => createIncomingFile(incoming))
    try {
      room.writeAs(fresh.name)
      const size = await fill(fresh.handle, path, content, options)
      const folder = await changing(path, () => makeFolder(tree, names))
      try {
        return await options.locks.run(`${folder.path}/${name}`, async () => {
          const found = await check(folder)
          return await changing(path, async () => {
            if (found) await fresh.handle.chmod(Number(found.mode) & 0o777)
            await followOwner(fresh.handle, folder)
            await folder.confirm()
            await rename(fresh.path, folder.at(name))
            // The folder may have been given away meanwhile, with what was in it then.
            await followOwner(fresh.handle, folder)
            room.store(size)
            if (found) options.stored.freed(ownerOf(tree), bytesOf(found))
            await folder.sync()
            await folder.confirm()
            return { file: fileEntry(path, await fresh.handle.stat({ bigint: true })), created: found === undefined }
          })
        })
      } finally {
        await folder.close()
      }
    } finally {
      await fresh.discard()
    }
  } finally {
    await incoming.close()
  }
}

async function fill(
  handle: FileHandle,
  path: string,
  content: Content,
  { maximumBytes = Number.POSITIVE_INFINITY, signal, room }: WriteOptions & { readonly room: ByteReservation },
): Promise<number> {
  let size = 0
  for await (const piece of content instanceof Uint8Array ? [content] : content) {
    signal?.throwIfAborted()
    size += piece.byteLength
    if (size > maximumBytes) throw userFileTooLargeError.create({ path, limit: maximumBytes })
    await room.grow(size)
    await changing(path, () => writeAll(handle, piece))
    room.written(size)
  }
  signal?.throwIfAborted()
  await changing(path, () => handle.sync())
  return size
}

/** The length that is known before the first byte. */
const expectedBytes = (content: Content, { expectedBytes: expected = 0 }: WriteOptions): number =>
  content instanceof Uint8Array ? content.byteLength : Math.max(0, expected)

async function writeAll(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let written = 0; written < piece.byteLength; ) {
    const { bytesWritten } = await handle.write(piece, written, piece.byteLength - written)
    written += bytesWritten
  }
}
