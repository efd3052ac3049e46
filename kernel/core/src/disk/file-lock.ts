import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { tryLock } from 'fs-native-extensions'
import type { FileOwner } from './durable-file-system.js'

/**
 * Opens a lock file, which is created if missing, and tries to get its lock. It is a lock of the
 * operating system, which ends with its process in any case. It excludes other handles of this
 * process too. The file must never be deleted: a lock belongs to the file, not to its name. If
 * `isOwner`, closing the file releases the lock; otherwise another handle has the lock.
 * @throws errors of the file system
 */
export async function openLockFile(path: string, owner?: FileOwner): Promise<{ readonly file: FileHandle; readonly isOwner: boolean }> {
  for (;;) {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      if (owner) await file.chown(owner.user, owner.group)
      if (!tryLock(file.fd)) return { file, isOwner: false }
      if (await isStillAt(file, path)) return { file, isOwner: true }
    } catch (error) {
      await file.close()
      throw error
    }
    // The folder was replaced between opening and locking, so the locked file is no longer at its
    // path.
    await file.close()
  }
}

async function isStillAt(file: FileHandle, path: string): Promise<boolean> {
  const locked = await file.stat()
  const named = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return named !== undefined && named.ino === locked.ino && named.dev === locked.dev
}

/**
 * Does the work while holding the lock of a file. Waits for the lock up to `timeoutMs`
 * milliseconds, then throws the error of `onTimeout`. There is no order among those who wait.
 */
export async function withFileLock<Result>(
  path: string,
  options: { readonly timeoutMs: number; readonly onTimeout: () => Error; readonly owner?: FileOwner | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + options.timeoutMs
  for (;;) {
    const { file, isOwner } = await openLockFile(path, options.owner)
    try {
      if (isOwner) return await work()
    } finally {
      await file.close()
    }
    if (performance.now() >= until) throw options.onTimeout()
    // A random pause, so that two processes do not retry in step.
    await setTimeout(3 + Math.random() * 12)
  }
}
