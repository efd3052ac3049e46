export { describeWebSocketRoute } from './describe-websocket-route.js'
export type { WebSocketRouteExample, WebSocketRouteSuiteOptions } from './suite-options.js'
