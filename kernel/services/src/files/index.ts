export { createPluginUserFiles } from './plugin-user-files.js'
export { createStoredBytes } from './stored-bytes.js'
export { createUserFiles } from './user-files.js'
