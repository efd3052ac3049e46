export { isWellFormed } from './check-document.js'
