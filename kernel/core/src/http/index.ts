export type { MetricSource } from '../metrics/metric-source.js'
export {
  type Authentication,
  type Authenticator,
  authenticatorToken,
  type PresentedCredentials,
  type PresignedRequest,
} from './authenticator.js'
export { forbiddenError, rateLimitedError, unauthenticatedError } from './errors.js'
export type { HttpLimits } from './http-options.js'
export { type HttpServer, httpServerToken } from './http-server.js'
export type { RouteAccess } from './route-access.js'
