import { constants, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openLockFile } from '../../disk/file-lock.js'
import { databaseLockedError } from '../errors.js'

/**
 * The lock file in the folder. It is never deleted: a lock belongs to the file, not to its name.
 */
export const lockFileName = 'lock'

export interface FolderLock {
  /** Releases the lock. May be called again. */
  release(): Promise<void>
}

/**
 * Makes this handle the folder's only owner, until it is released or the process ends in any way.
 * The lock is the operating system's; the text in the file is for people.
 * @throws `database_locked` naming the owner's process if there is one, running or stopped; errors
 * of the file system unchanged.
 */
export async function acquireFolderLock(folder: string, options: { readonly now: () => number }): Promise<FolderLock> {
  const { file, isOwner } = await openLockFile(join(folder, lockFileName))
  try {
    if (!isOwner) throw await lockedError(folder, file)
    await describeOwner(file, options.now())
    return createFolderLock(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Files of the held locks. A garbage-collected file would be closed, and its lock lost, while the
 * process still works.
 */
const held = new Set<FileHandle>()

function createFolderLock(file: FileHandle): FolderLock {
  held.add(file)
  let released: Promise<void> | undefined
  return {
    release() {
      held.delete(file)
      released ??= file.close()
      return released
    },
  }
}

async function describeOwner(file: FileHandle, now: number): Promise<void> {
  const started = new Date(now).toISOString()
  const text = `pid ${process.pid}\nstarted ${started}\nThe process with the operating system's lock on this file owns the folder. Do not delete it.\n`
  try {
    await file.truncate(0)
    await file.write(text, 0)
  } catch (error) {
    // A database on a full disk can still be read.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error
  }
}

/**
 * The owner may not have written its name yet. Then the file is empty or names a process that has
 * ended.
 */
async function lockedError(folder: string, file: FileHandle): Promise<Error> {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const owner = await readOwner(file)
    if (owner && isAlive(owner.pid)) return databaseLockedError.create({ path: folder, ...owner })
    await setTimeout(20)
  }
  return databaseLockedError.create({ path: folder })
}

/**
 * The running process that the folder's lock file names, other than this one. Only reads, and takes
 * no lock: good enough for a report, not for a decision to write.
 */
export async function findFolderOwner(folder: string): Promise<{ readonly pid: number; readonly started: string } | undefined> {
  const file = await open(join(folder, lockFileName), constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const owner = await readOwner(file)
    return owner && owner.pid !== process.pid && isAlive(owner.pid) ? owner : undefined
  } finally {
    await file.close()
  }
}

async function readOwner(file: FileHandle): Promise<{ readonly pid: number; readonly started: string } | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0)
  const match = /^pid (\d{1,10})\nstarted (\S{1,40})\n/.exec(buffer.subarray(0, bytesRead).toString())
  return match?.[1] && match[2] ? { pid: Number(match[1]), started: match[2] } : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
