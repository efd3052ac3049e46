export { findFolderOwner, lockFileName } from './folder-lock.js'
export { removePartialBackups } from './leftovers.js'
