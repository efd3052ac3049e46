export {
  type Authentication,
  type Authenticator,
  authenticatorToken,
  type PresentedCredentials,
  type PresignedRequest,
} from './authenticator.js'
export * from './errors.js'
export type { HttpLimits } from './http-options.js'
export { type HttpServer, httpServerToken } from './http-server.js'
export type { RouteAccess } from './request/access.js'
export type { OwnerLease, RouteOwner, SiteMatch, TableEntry } from './route-table.js'
