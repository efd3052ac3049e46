export { createControlledClock } from '../clock/index.js'
export * from './create-test-kernel.js'
