export { quietLog } from './test-database.js'
