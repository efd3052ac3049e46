export { describeWebSocketRoute } from './describe-websocket-route.js'
export type { WebSocketRouteExample, WebSocketRouteSuiteOptions, WebSocketRouteUnderTest } from './suite-options.js'
