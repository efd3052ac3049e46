export { describeHttpRoute } from './describe-http-route.js'
export type { HttpRouteExample, HttpRouteSuiteOptions, SuiteAnswer } from './suite-options.js'
