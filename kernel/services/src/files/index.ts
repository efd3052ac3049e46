export { createStoredBytes } from './stored-bytes.js'
export { createUserFiles } from './user-files.js'
