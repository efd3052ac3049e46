import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readSparse, type SparsePiece } from '../archive/sparse-map.js'
import type { EntryData } from '../archive/tar-blocks.js'

/**
 * Writes entries below a folder that only this process writes to. A later entry replaces an earlier
 * one of its path, also a file a folder and the other way round. Paths were checked before. Folders keep their times
 * whatever comes into them later.
 */
export async function stageEntry(
  root: string,
  segments: readonly string[],
  entry: EntryData,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const target = join(root, ...segments)
  const above = dirname(target)
  await makeFolder(above, root)
  const { atime, mtime } = await stat(above)
  await (entry.kind === 'folder' ? stageFolder(root, target, entry, content) : stageFile(target, entry, content))
  await utimes(above, atime, mtime)
}

async function stageFolder(root: string, target: string, entry: EntryData, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
  await makeFolder(target, root)
  // The service writes below it.
  await chmod(target, entry.mode | 0o700)
  await utimes(target, new Date(entry.changedAt), new Date(entry.changedAt))
}

async function stageFile(target: string, entry: EntryData, content: AsyncIterable<Buffer>): Promise<void> {
  const handle = await create(target)
  try {
    if (entry.sparseSize === undefined) for await (const piece of content) await handle.writeFile(piece)
    else await writeSparse(handle, readSparse(content, entry.sparseSize), entry.sparseSize)
    await handle.chmod(entry.mode)
    // As dates, since a number before 1970 would stand for now.
    await handle.utimes(new Date(entry.changedAt), new Date(entry.changedAt))
  } finally {
    await handle.close()
  }
}

/** Writes the data to its places, and leaves holes between them. */
async function writeSparse(handle: FileHandle, pieces: AsyncIterable<SparsePiece>, size: number): Promise<void> {
  for await (const { offset, bytes } of pieces)
    for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
  await handle.truncate(size)
}

async function create(target: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  try {
    return await open(target, flags, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'EISDIR') throw error
    await rm(target, { recursive: true, force: true })
    return open(target, flags, 0o600)
  }
}

/** Makes a folder and those above it, up to the root. A file in its place gives way. */
async function makeFolder(folder: string, root: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (found?.isDirectory()) return
  if (folder !== root) await makeFolder(dirname(folder), root)
  if (found) await rm(folder, { force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}
