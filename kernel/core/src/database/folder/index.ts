export { ownDatabaseFolder } from './database-folder.js'
export { acquireFolderLock, type FolderLock, lockFileName } from './folder-lock.js'
