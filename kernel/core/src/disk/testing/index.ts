export { type MissingSync, createPowerFailureDisk } from './power-failure-disk.js'
