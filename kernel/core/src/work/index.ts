export { currentOperation, runWithin } from './work-context.js'
