import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The caller's user id. Every route of this plugin needs a user, so the host never calls without. */
export function ownerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}
