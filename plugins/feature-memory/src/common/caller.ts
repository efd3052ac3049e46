import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The user of a request. Every route here requires one, so the host never calls without. */
export function userOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}
