/**
 * Primitives for the disk: small files that survive a crash, locks, comparison of folders with
 * links followed, removal of folders, and restricted modes. Imports nothing of the kernel.
 */
export { createDurableFileSystem, type DurableFileSystem, type FileOwner } from './durable-file-system.js'
export { openLockFile, withFileLock } from './file-lock.js'
export { liesWithin, overlaps } from './lies-within.js'
export { removeTree } from './remove-tree.js'
export { replaceFile, temporaryPath } from './replace-file.js'
export { restrictFolder } from './restrict-modes.js'
export { type DiskRoom, roomFrom, roomOf } from './room-of.js'
