export { plainPlugin as default } from './memory-plugins.js'
