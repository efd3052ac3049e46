export { createJsonPool } from './json-pool.js'
