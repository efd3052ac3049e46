export { createHttpServer } from './create-http-server.js'
