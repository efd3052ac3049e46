export { createHttpServer, type HttpServerDependencies } from './create-http-server.js'
export type { WebPages } from './pipeline-state.js'
export type { SiteServices, Sites } from './sites.js'
