export { revisionOf } from './configuration-file.js'
export { configurationLocation } from './configuration-location.js'
