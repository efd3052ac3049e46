import type { HttpRoute, Principal } from '@agent-service/sdk/contracts/http-route'

/** Decides whether somebody's role reaches a route. Scopes of tokens are another matter. */
export interface RouteAccess {
  /** Asked for every request to a route that is not public. @throws `policies_unavailable` where nothing can be decided. */
  mayCall(principal: Principal, route: HttpRoute): Promise<boolean>
}
