export { describeUserData } from './describe-user-data.js'
export type { UserDataSubject, UserDataSuiteOptions } from './suite-options.js'
