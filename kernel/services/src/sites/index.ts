export { openSites } from './serve-site.js'
