import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openLockFile } from '../../disk/file-lock.js'
import { databaseLockedError } from '../errors.js'

/** The file in the folder that carries the lock. It is never deleted: a lock belongs to the file, not to its name. */
export const lockFileName = 'lock'

/** A lock that this process holds. */
export interface FolderLock {
  /** Gives it back. May be called again. */
  release(): Promise<void>
}

/**
 * Makes this handle the folder's only owner, until it is released or the process is gone in whatever way. The lock is the operating system's;
 * the text in the file is for people.
 * @throws `database_locked` naming the owner's process when there is one, running or stopped; errors of the file system as they are.
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

/** Files of the locks that are held: one that is garbage would be closed, and its lock be lost, although the process is still at work. */
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
  const text = `pid ${process.pid}\nstarted ${started}\nWhoever holds the operating system's lock on this file owns the folder. Do not delete it.\n`
  try {
    await file.truncate(0)
    await file.write(text, 0)
  } catch (error) {
    // A full disk must not keep a database from being read.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error
  }
}

/** The owner may have the lock and not have written its name yet; then what is there names a process that is gone, or nobody. */
async function lockedError(folder: string, file: FileHandle): Promise<Error> {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const owner = await readOwner(file)
    if (owner && isAlive(owner.pid)) return databaseLockedError.create({ path: folder, ...owner })
    await setTimeout(20)
  }
  return databaseLockedError.create({ path: folder })
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
