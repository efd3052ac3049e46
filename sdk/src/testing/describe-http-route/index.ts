export { describeHttpRoute } from './describe-http-route.js'
export type { HttpRouteExample, HttpRouteSuiteOptions, HttpRouteUnderTest, SuiteAnswer } from './suite-options.js'
