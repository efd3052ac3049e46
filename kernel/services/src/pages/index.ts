export { createStaticFiles } from './static-files.js'
