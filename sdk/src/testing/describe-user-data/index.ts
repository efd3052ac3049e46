export { describeUserData, type UserDataSubject, type UserDataSuiteOptions } from './describe-user-data.js'
