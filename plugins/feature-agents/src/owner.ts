import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The caller's user id. Every route of this plugin asks for `auth: 'user'`, so the host never calls without a principal. */
export function ownerOf(request: Pick<RouteRequest, 'principal'>): string {
  if (!request.principal) throw new Error('A route that requires a user was called without a principal.')
  return request.principal.userId
}
