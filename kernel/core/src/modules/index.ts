export { importFile, importFromBundle } from './import-file.js'
