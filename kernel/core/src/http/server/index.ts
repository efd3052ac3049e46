export { createHttpServer, type HttpServerDependencies } from './create-http-server.js'
export type { WebPages } from './pipeline-state.js'
