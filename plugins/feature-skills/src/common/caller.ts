import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The principal of a request. Every route here requires a user. */
export function callerOf({ principal }: Pick<RouteRequest, 'principal'>): Principal {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal
}
