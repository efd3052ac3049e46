import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The caller. Every route here needs a user, so the host never calls without. */
export function callerOf({ principal }: Pick<RouteRequest, 'principal'>): Principal {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal
}
