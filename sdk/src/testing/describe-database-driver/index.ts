export { describeDatabaseDriver } from './describe-database-driver.js'
export type { DatabaseDriverSuiteOptions } from './suite-options.js'
