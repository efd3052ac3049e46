/**
 * Primitives for the disk: small files that survive a crash, locks, paths checked against links,
 * and open folders and files whose real path was checked. Imports nothing of the kernel.
 */
export { type CheckedFolder, openCheckedFolder } from './checked-folder.js'
export { createDurableFileSystem, type DurableFileSystem, type FileOwner } from './durable-file-system.js'
export { openLockFile, withFileLock } from './file-lock.js'
export { followOwner } from './follow-owner.js'
export { liesWithin, overlaps } from './lies-within.js'
export { measureFolder } from './measure-folder.js'
export { type CheckedFile, openCheckedFile } from './open-checked-file.js'
export { errorCode, isBelow, orAbsent, type PathOfDescriptor, pathOfDescriptor } from './path-of-descriptor.js'
export { replaceFile, temporaryPath } from './replace-file.js'
export { restrictFolder } from './restrict-modes.js'
export { emptyTrash, isTrash, trashName } from './trash.js'
