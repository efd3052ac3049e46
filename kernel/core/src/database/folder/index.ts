export { ownDatabaseFolder } from './database-folder.js'
export { acquireFolderLock, type FolderLock, findFolderOwner, lockFileName } from './folder-lock.js'
