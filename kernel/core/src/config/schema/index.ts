export { parsePath } from './dotted-path.js'
