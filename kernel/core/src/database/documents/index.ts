export { isWellFormed } from './text.js'
