import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import {
  type UserUpload,
  type UserUploads,
  userFileNotFoundError,
  userUploadChecksumError,
  userUploadOffsetError,
  userUploadTooLongError,
} from '@agent-service/sdk/services/user-files'
import { checkConditions, checkReplaceable } from './conditions.js'
import { type CheckedFolder, followOwner, orAbsent } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import { changing } from './file-errors.js'
import { bytesOf, type FileTree, ownerOf } from './file-tree.js'
import type { PathLocks } from './path-locks.js'
import { splitPath } from './path-names.js'
import type { StoredBytes } from './stored-bytes.js'
import { storedPath } from './stored-path.js'
import { makeFolder } from './tree-folders.js'
import { bytesNameOf, openRecord, type StoredUpload, toUserUpload, writeOffset } from './upload-record.js'

/** How many bytes a killed service can lose of a request under way. */
const keptEveryBytes = 16 * 1024 * 1024

/** An upload that no other request changes meanwhile. */
export interface OpenUpload {
  readonly tree: FileTree
  readonly incoming: CheckedFolder
  readonly upload: StoredUpload
  readonly locks: PathLocks
  readonly stored: StoredBytes
}

/** Adds bytes to an upload, and puts the file at its path if they are the last. */
export async function appendToUpload(
  open: OpenUpload,
  content: Parameters<UserUploads['append']>[1],
  options: Parameters<UserUploads['append']>[2],
): Promise<UserUpload> {
  const { upload } = open
  if (options.offset !== upload.offset) throw userUploadOffsetError.create({ given: options.offset, expected: upload.offset })
  if (upload.isFinished) return toUserUpload(upload)
  const offset = await receive(open, content, options)
  const current = { ...upload, offset, changedAt: Date.now() }
  return toUserUpload(offset === upload.size ? await finishUpload({ ...open, upload: current }) : current)
}

/** Writes the bytes and returns the offset behind them, which is on record unless it is the end. */
async function receive(
  { tree, incoming, upload, stored }: OpenUpload,
  content: Parameters<UserUploads['append']>[1],
  { checksum, signal }: Parameters<UserUploads['append']>[2],
): Promise<number> {
  const bytes = await openBytes(incoming, upload)
  const record = await openRecord(incoming, upload.id)
  try {
    if (!record) throw userFileNotFoundError.create({ path: upload.path })
    const hash = checksum && createHash(checksum.algorithm)
    let [at, kept] = [upload.offset, upload.offset]
    // The end is on record only when the file is at its path.
    const keep = async (offset: number): Promise<void> => {
      const target = Math.min(offset, upload.size - 1)
      if (target <= kept) return
      await changing(upload.path, async () => {
        await bytes.datasync()
        await writeOffset(record, target)
      })
      kept = target
      stored.pending(ownerOf(tree), bytesNameOf(upload.id), upload.size - kept)
    }
    try {
      for await (const piece of content) {
        signal?.throwIfAborted()
        if (at + piece.byteLength > upload.size) throw userUploadTooLongError.create({ size: upload.size })
        await changing(upload.path, () => writeAll(bytes, piece, at))
        hash?.update(piece)
        at += piece.byteLength
        if (!hash && at - kept >= keptEveryBytes) await keep(at)
      }
      if (hash && hash.digest('base64') !== checksum?.digest) throw userUploadChecksumError.create({ algorithm: checksum?.algorithm ?? '' })
    } catch (error) {
      if (!hash) await keep(at)
      throw error
    }
    await keep(at)
    if (at === upload.size) await changing(upload.path, () => bytes.sync())
    return at
  } finally {
    await record?.close()
    await bytes.close()
  }
}

/**
 * Puts the bytes at their path by one rename, as {@link writeFile} does. @throws as it does, and
 * the upload stays as it was.
 */
export async function finishUpload({ tree, incoming, upload, locks, stored }: OpenUpload): Promise<StoredUpload> {
  const { conditions } = upload
  // A name of the other form may have come meanwhile.
  const path = await storedPath(tree, upload.path)
  const { folder: names, name } = splitPath(path)
  const bytes = await openBytes(incoming, upload)
  try {
    const folder = await changing(path, () => makeFolder(tree, names))
    try {
      await locks.run(`${folder.path}/${name}`, async () => {
        const found = await folder.look(name)
        const entry = found && fileEntry(path, found)
        checkReplaceable(path, entry, found?.isFile() ?? false)
        checkConditions(path, entry, conditions)
        await changing(path, async () => {
          if (found) await bytes.chmod(Number(found.mode) & 0o777)
          await followOwner(bytes, folder)
          await folder.confirm()
          await rename(incoming.at(bytesNameOf(upload.id)), folder.at(name))
          await followOwner(bytes, folder)
          if (found) stored.freed(ownerOf(tree), bytesOf(found))
          await folder.sync()
          await folder.confirm()
        })
      })
    } finally {
      await folder.close()
    }
  } finally {
    await bytes.close()
  }
  stored.pending(ownerOf(tree), bytesNameOf(upload.id), 0)
  return { ...upload, offset: upload.size, isFinished: true }
}

async function openBytes(incoming: CheckedFolder, { id, path }: StoredUpload): Promise<FileHandle> {
  const bytes = await orAbsent(open(incoming.at(bytesNameOf(id)), constants.O_WRONLY | constants.O_NOFOLLOW))
  if (!bytes) throw userFileNotFoundError.create({ path })
  return bytes
}

async function writeAll(handle: FileHandle, piece: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < piece.byteLength; ) {
    const { bytesWritten } = await handle.write(piece, written, piece.byteLength - written, at + written)
    written += bytesWritten
  }
}
