export { revisionOf } from './configuration-file.js'
export { configurationPlace } from './configuration-place.js'
