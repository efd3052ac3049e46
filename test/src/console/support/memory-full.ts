export { fullPlugin as default } from './memory-plugins.js'
