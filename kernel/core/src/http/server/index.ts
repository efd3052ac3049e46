export type { HttpMetrics } from '../pages/http-metrics.js'
export { createHttpServer, type HttpServerDependencies } from './create-http-server.js'
export { createFrontDoor, type FrontDoor } from './front-door.js'
export type { SiteServices, Sites, WebPages } from './pipeline-state.js'
