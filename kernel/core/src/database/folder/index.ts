export { removePartialBackups } from './leftovers.js'
