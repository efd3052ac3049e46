import type { HttpRoute, Principal } from '@agent-service/sdk/contracts/http-route'

/**
 * Decides whether a principal's role permits a route. The scopes of tokens are checked separately.
 */
export interface RouteAccess {
  /**
   * Called for every request to a route that is not public. @throws `policies_unavailable` if no
   * decision is possible.
   */
  mayCall(principal: Principal, route: HttpRoute): Promise<boolean>
}
