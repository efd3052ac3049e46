export { failEverywhere, type PowerFailure } from './fail-everywhere.js'
export { createPowerFailureDisk, type MissingSync } from './power-failure-disk.js'
