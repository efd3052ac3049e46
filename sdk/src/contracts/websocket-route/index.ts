export * from './check-websocket-route.js'
export * from './errors.js'
export * from './point.js'
export * from './route.js'
