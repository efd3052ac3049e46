import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** Whose files it is about. Every route here asks for a user. */
export function callerOf({ principal }: Pick<RouteRequest, 'principal'>): Principal {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal
}
