export { parseJsonBytes } from './json-text.js'
export { streamBody } from './stream-body.js'
