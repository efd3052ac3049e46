export { describeDatabaseDriver } from './describe-database-driver.js'
export type { DatabaseDriverSuiteOptions } from './support/suite-options.js'
