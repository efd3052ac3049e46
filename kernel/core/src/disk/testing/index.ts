export { createPowerFailureDisk, type MissingSync } from './power-failure-disk.js'
