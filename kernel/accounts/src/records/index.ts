export { authCollections } from './records.js'
